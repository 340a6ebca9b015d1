package catalogue

// garavan names the columns of the records of the Garavan Institute, which were labelled twice.
const garavan = "age,sex,on thyroxine,query on thyroxine,on antithyroid medication,sick,pregnant,thyroid " +
	"surgery,I131 treatment," +
	"query hypothyroid,query hyperthyroid,lithium,goitre,tumor,hypopituitary,psych,TSH measured,TSH,T3 measured,T3," +
	"TT4 measured,TT4,T4U measured,T4U,FTI measured,FTI,TBG measured,TBG,referral source,class"

// openML lists sets of OpenML, among them editions that UCI does not have.
var openML = []Set{
	{
		Name: "hypothyroid", Rows: 3772, Features: 29, Classes: 4,
		About:   "an ill thyroid, of three kinds",
		First:   "--positive negative",
		Licence: "CC BY 4.0",
		Cite:    "R. Quinlan, Thyroid Disease, doi:10.24432/C5D010; in the edition of 3772 rows, OpenML 57",
		URL:     "https://openml.org/data/v1/download/57/hypothyroid.arff",
		SHA256:  "7f76088bab43865ae512a3ddaf68bef688d1c5c68c0a94039ca8e75d4b1609ea",
		Layout: Layout{
			ARFF: true, Separator: ',',
			Missing: "?",
			Columns: garavan,
		},
	},
	{
		Name: "sick", Rows: 3772, Features: 29, Classes: 2,
		About:   "who is sick, of those in hypothyroid",
		First:   "--prefer sick",
		Licence: "CC BY 4.0",
		Cite:    "R. Quinlan, Thyroid Disease, doi:10.24432/C5D010; in the edition of 3772 rows, OpenML 38",
		URL:     "https://openml.org/data/v1/download/38/sick.arff",
		SHA256:  "0ce64702bf754245b15da50ea622684b959324bd84cfd117590621bd53f4b662",
		Layout: Layout{
			ARFF: true, Separator: ',',
			Missing: "?",
			Columns: garavan,
		},
	},
	{
		Name: "autos", Rows: 205, Features: 25, Classes: 6,
		About:   "how risky a car is to its insurers",
		First:   "--positive 3 --prefer 3",
		Licence: "CC BY 4.0",
		Cite:    "J. Schlimmer, Automobile, doi:10.24432/C5B01C; OpenML 9",
		URL:     "https://openml.org/data/v1/download/9/autos.arff",
		SHA256:  "7256d6df4e9fd833094357cb7538d5de6d400577a482dc772530414df7efe499",
		Layout: Layout{
			ARFF: true, Separator: ',',
			Missing: "?",
			Columns: "normalized-losses,make,fuel-type,aspiration,num-of-doors,body-style,drive-wheels,engine-location,wheel-base,length," +
				"width,height,curb-weight,engine-type,num-of-cylinders,engine-size,fuel-system,bore,stroke,compression-ratio," +
				"horsepower,peak-rpm,city-mpg,highway-mpg,price,class",
		},
	},
	{
		Name: "mammography", Rows: 11183, Features: 6, Classes: 2,
		About:   "a microcalcification (1) in a mammogram",
		First:   "--prefer 1",
		Licence: "public",
		Cite: "K. S. Woods, C. C. Doss, K. W. Bowyer, J. L. Solka, C. E. Priebe, W. P. Kegelmeyer, Int. J. Pattern " +
			"Recognition and Artificial Intelligence 7(6), 1993; OpenML 310",
		URL:    "https://openml.org/data/v1/download/52214/mammography.arff",
		SHA256: "10a7acd6a34e4f8f52db7144ae646e259394d94edeb55c6273fe412f9edda6fa",
		Layout: Layout{
			ARFF: true, Separator: ',',
			Columns: "attr1,attr2,attr3,attr4,attr5,attr6,class",
		},
	},
	{
		Name: "soybean", Rows: 683, Features: 35, Classes: 19,
		About:   "which disease of soybeans",
		First:   "--positive anthracnose --prefer anthracnose",
		Licence: "CC BY 4.0",
		Cite:    "R. S. Michalski, R. L. Chilausky, Soybean (Large), doi:10.24432/C5JG6Z; OpenML 42",
		URL:     "https://openml.org/data/v1/download/42/soybean.arff",
		SHA256:  "5b8bde322774734e6d5acf755b85b845cffbff26434dea5a7bb5d6ca96a27f9c",
		Layout: Layout{
			ARFF: true, Separator: ',',
			Missing: "?",
			Columns: "date,plant-stand,precip,temp,hail,crop-hist,area-damaged,severity,seed-tmt,germination,plant-growth,leaves," +
				"leafspots-halo,leafspots-marg,leafspot-size,leaf-shread,leaf-malf,leaf-mild,stem,lodging,stem-cankers,canker-lesion," +
				"fruiting-bodies,external-decay,mycelium,int-discolor,sclerotia,fruit-pods,fruit-spots,seed,mold-growth,seed-discolor," +
				"seed-size,shriveling,roots,class",
		},
	},
}
