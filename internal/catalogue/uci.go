package catalogue

// uci lists sets of the UCI Machine Learning Repository.
var uci = []Set{
	{
		Name: "letter", Rows: 20000, Features: 16, Classes: 26,
		About:   "which capital letter, by picture",
		First:   "--prefer 'A;E;I;O;U;Y'",
		Licence: "CC BY 4.0",
		Cite:    "D. J. Slate, Letter Recognition, doi:10.24432/C5ZP40; P. W. Frey, D. J. Slate, Machine Learning 6, 1991",
		URL:     "https://archive.ics.uci.edu/static/public/59/letter+recognition.zip",
		SHA256:  "e82774b2dfec47320d36e8e223e2bfd8a5ee0c7e5a106d97ea2088f177bec107",
		Layout: Layout{
			Members: []string{"letter-recognition.data"}, Separator: ',',
			Columns: "class,x-box,y-box,width,high,onpix,x-bar,y-bar,x2bar,y2bar,xybar,x2ybr,xy2br,x-ege,xegvy,y-ege,yegvx",
		},
	},
	{
		Name: "satimage", Rows: 6435, Features: 36, Classes: 6,
		About:   "which soil, by a Landsat picture",
		First:   "--positive 4 --prefer 4",
		Licence: "CC BY 4.0",
		Cite:    "A. Srinivasan, Statlog (Landsat Satellite), doi:10.24432/C55887",
		URL:     "https://archive.ics.uci.edu/static/public/146/statlog+landsat+satellite.zip",
		SHA256:  "00a7ecf2254b38d08ecb670629ab8a13f6df837187e6d0c2e0f60f1636cae46a",
		Layout: Layout{
			Members: []string{"sat.trn", "sat.tst"}, Separator: ' ',
			Columns: "p1b1,p1b2,p1b3,p1b4,p2b1,p2b2,p2b3,p2b4,p3b1,p3b2,p3b3,p3b4,p4b1,p4b2,p4b3,p4b4,p5b1,p5b2,p5b3,p5b4,p6b1,p6b2,p6b3," +
				"p6b4,p7b1,p7b2,p7b3,p7b4,p8b1,p8b2,p8b3,p8b4,p9b1,p9b2,p9b3,p9b4,class",
		},
	},
	{
		Name: "german_credit", Rows: 1000, Features: 20, Classes: 2,
		About:   "a bad credit (2), by application",
		First:   "--cost 2=5 --cost 1=1",
		Licence: "CC BY 4.0",
		Cite:    "H. Hofmann, Statlog (German Credit Data), doi:10.24432/C5NC77",
		URL:     "https://archive.ics.uci.edu/static/public/144/statlog+german+credit+data.zip",
		SHA256:  "ece7b239b14e5265a5155b138b00f078023bbc91dacc8fa16f68f071eb057106",
		Layout: Layout{
			Members: []string{"german.data"}, Separator: ' ',
			Columns: "status,duration,credit_history,purpose,amount,savings,employment,installment_rate,personal_status_sex,other_debtors," +
				"residence_since,property,age,other_installment_plans,housing,existing_credits,job,people_liable,telephone," +
				"foreign_worker,class",
		},
	},
	{
		Name: "bank_marketing", Rows: 41188, Features: 20, Classes: 2,
		About:   "a deposit after a call of the bank",
		First:   "--prefer yes --ignore duration",
		Licence: "CC BY 4.0",
		Cite:    "S. Moro, P. Rita, P. Cortez, Bank Marketing, doi:10.24432/C5K306; Decision Support Systems 62, 2014",
		URL:     "https://archive.ics.uci.edu/static/public/222/bank+marketing.zip",
		SHA256:  "cac4ffcf95fa764fda489e84535cffda8c5987ad67ac88addbcd835d17a9a80c",
		Layout: Layout{
			Members: []string{"bank-additional.zip/bank-additional-full.csv"}, Separator: ';',
			Header:  true,
			Missing: "unknown",
			Columns: "age,job,marital,education,default,housing,loan,contact,month,day_of_week,duration,campaign,pdays,previous,poutcome," +
				"emp.var.rate,cons.price.idx,cons.conf.idx,euribor3m,nr.employed,class",
		},
	},
	{
		Name: "online_shoppers", Rows: 12330, Features: 17, Classes: 2,
		About:       "a visit to a shop with a purchase",
		First:       "--prefer TRUE",
		Categorical: []string{"OperatingSystems", "Browser", "Region", "TrafficType"},
		Licence:     "CC BY 4.0",
		Cite:        "C. Sakar, Y. Kastro, Online Shoppers Purchasing Intention Dataset, doi:10.24432/C5F88Q",
		URL:         "https://archive.ics.uci.edu/static/public/468/online+shoppers+purchasing+intention+dataset.zip",
		SHA256:      "f8aa9214bb45d0465c2d18d86accece0f57bc4e7fc9c9fb95b41939d88602c9f",
		Layout: Layout{
			Members: []string{"online_shoppers_intention.csv"}, Separator: ',',
			Header: true,
			Columns: "Administrative,Administrative_Duration,Informational,Informational_Duration,ProductRelated,ProductRelated_Duration," +
				"BounceRates,ExitRates,PageValues,SpecialDay,Month,OperatingSystems,Browser,Region,TrafficType,VisitorType,Weekend," +
				"class",
		},
	},
	{
		Name: "diabetes130", Rows: 101766, Features: 47, Classes: 3,
		About: "back in hospital in 30 days (<30)",
		First: "--positive '<30' --prefer '<30'",
		Categorical: []string{"admission_type_id", "discharge_disposition_id", "admission_source_id", "diag_1", "diag_2",
			"diag_3"},
		Licence: "CC BY 4.0",
		Cite: "J. Clore, K. Cios, J. DeShazo, B. Strack, Diabetes 130-US Hospitals for Years 1999-2008, " +
			"doi:10.24432/C5230J; BioMed Research International, 2014",
		URL:    "https://archive.ics.uci.edu/static/public/296/diabetes+130-us+hospitals+for+years+1999-2008.zip",
		SHA256: "69c9fa858a297ec831758525d667100da14a4b5f5e4fd6b3dcccbfd081378ffa",
		Layout: Layout{
			Members: []string{"diabetic_data.csv"}, Separator: ',',
			Header:  true,
			Missing: "?",
			Columns: "-,-,race,gender,age,weight,admission_type_id,discharge_disposition_id,admission_source_id,time_in_hospital,payer_code," +
				"medical_specialty,num_lab_procedures,num_procedures,num_medications,number_outpatient,number_emergency," +
				"number_inpatient,diag_1,diag_2,diag_3,number_diagnoses,max_glu_serum,A1Cresult,metformin,repaglinide,nateglinide," +
				"chlorpropamide,glimepiride,acetohexamide,glipizide,glyburide,tolbutamide,pioglitazone,rosiglitazone,acarbose,miglitol," +
				"troglitazone,tolazamide,examide,citoglipton,insulin,glyburide-metformin,glipizide-metformin,glimepiride-pioglitazone," +
				"metformin-rosiglitazone,metformin-pioglitazone,change,diabetesMed,class",
		},
	},
	{
		Name: "adult", Rows: 48842, Features: 14, Classes: 2,
		About:   "an income above 50000 dollars, 1994",
		First:   "--prefer '>50K'",
		Licence: "CC BY 4.0",
		Cite:    "B. Becker, R. Kohavi, Adult, doi:10.24432/C5XW20",
		URL:     "https://archive.ics.uci.edu/static/public/2/adult.zip",
		SHA256:  "8707a596248538209a24abcbc41e219adb503f70581f56a2e6200c5606dfe974",
		Layout: Layout{
			Members: []string{"adult.data", "adult.test"}, Separator: ',',
			Missing: "?",
			Suffix:  ".",
			Columns: "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain," +
				"capital-loss,hours-per-week,native-country,class",
		},
	},
	{
		Name: "breast_cancer_wisconsin", Rows: 699, Features: 9, Classes: 2,
		About:   "a malignant growth (4), by cells",
		First:   "--prefer 4",
		Licence: "CC BY 4.0",
		Cite:    "W. Wolberg, Breast Cancer Wisconsin (Original), doi:10.24432/C5HP4Z",
		URL:     "https://archive.ics.uci.edu/static/public/15/breast+cancer+wisconsin+original.zip",
		SHA256:  "6b2bd354c4e39115efa01924c33932aa18ad91439213bd06ac2b41a34bf7a66a",
		Layout: Layout{
			Members: []string{"breast-cancer-wisconsin.data"}, Separator: ',',
			Missing: "?",
			Columns: "-,clump_thickness,cell_size,cell_shape,marginal_adhesion,epithelial_size,bare_nuclei,bland_chromatin,normal_nucleoli," +
				"mitoses,class",
		},
	},
	{
		Name: "ionosphere", Rows: 351, Features: 34, Classes: 2,
		About:   "a bad radar return (b)",
		First:   "--prefer b",
		Licence: "CC BY 4.0",
		Cite:    "V. Sigillito, S. Wing, L. Hutton, K. Baker, Ionosphere, doi:10.24432/C5W01B",
		URL:     "https://archive.ics.uci.edu/static/public/52/ionosphere.zip",
		SHA256:  "c3c36b692d178f83a1dc212112fa2c703a8b236a60b7146bf969e43b19efd3e1",
		Layout: Layout{
			Members: []string{"ionosphere.data"}, Separator: ',',
			Columns: "a01,a02,a03,a04,a05,a06,a07,a08,a09,a10,a11,a12,a13,a14,a15,a16,a17,a18,a19,a20,a21,a22,a23,a24,a25,a26,a27,a28,a29," +
				"a30,a31,a32,a33,a34,class",
		},
	},
	{
		Name: "spambase", Rows: 4601, Features: 57, Classes: 2,
		About:   "spam (1), by its words and signs",
		First:   "--prefer 1",
		Licence: "CC BY 4.0",
		Cite:    "M. Hopkins, E. Reeber, G. Forman, J. Suermondt, Spambase, doi:10.24432/C53G6X",
		URL:     "https://archive.ics.uci.edu/static/public/94/spambase.zip",
		SHA256:  "f61035a509a20e4c94a63d2db2c86fe660ed443dbc16aadf76e7d8abb37725c0",
		Layout: Layout{
			Members: []string{"spambase.data"}, Separator: ',',
			Columns: "word_freq_make,word_freq_address,word_freq_all,word_freq_3d,word_freq_our,word_freq_over,word_freq_remove," +
				"word_freq_internet,word_freq_order,word_freq_mail,word_freq_receive,word_freq_will,word_freq_people,word_freq_report," +
				"word_freq_addresses,word_freq_free,word_freq_business,word_freq_email,word_freq_you,word_freq_credit,word_freq_your," +
				"word_freq_font,word_freq_000,word_freq_money,word_freq_hp,word_freq_hpl,word_freq_george,word_freq_650,word_freq_lab," +
				"word_freq_labs,word_freq_telnet,word_freq_857,word_freq_data,word_freq_415,word_freq_85,word_freq_technology," +
				"word_freq_1999,word_freq_parts,word_freq_pm,word_freq_direct,word_freq_cs,word_freq_meeting,word_freq_original," +
				"word_freq_project,word_freq_re,word_freq_edu,word_freq_table,word_freq_conference,char_freq_;,char_freq_(,char_freq_[," +
				"char_freq_!,char_freq_$,char_freq_#,capital_run_length_average,capital_run_length_longest,capital_run_length_total," +
				"class",
		},
	},
	{
		Name: "magic_telescope", Rows: 19020, Features: 10, Classes: 2,
		About:   "a hadron (h) or a gamma ray (g)",
		First:   "--prefer g",
		Licence: "CC BY 4.0",
		Cite:    "R. Bock, MAGIC Gamma Telescope, doi:10.24432/C52C8B",
		URL:     "https://archive.ics.uci.edu/static/public/159/magic+gamma+telescope.zip",
		SHA256:  "ed9c3c747b6a424f579fb830b375bfea72ac4b0f4520fb2edd1ee609df79d0bc",
		Layout: Layout{
			Members: []string{"magic04.data"}, Separator: ',',
			Columns: "fLength,fWidth,fSize,fConc,fConc1,fAsym,fM3Long,fM3Trans,fAlpha,fDist,class",
		},
	},
	{
		Name: "skin", Rows: 245057, Features: 3, Classes: 2,
		About:   "a point of skin (1), by its colour",
		First:   "--prefer 1",
		Licence: "CC BY 4.0",
		Cite:    "R. Bhatt, A. Dhall, Skin Segmentation, doi:10.24432/C5T30C",
		URL:     "https://archive.ics.uci.edu/static/public/229/skin+segmentation.zip",
		SHA256:  "5f41684c57659e7b71c9912749fa900a35822ca1413892f3e3ecf7a419fbac24",
		Layout: Layout{
			Members: []string{"Skin_NonSkin.txt"}, Separator: '\t',
			Columns: "B,G,R,class",
		},
	},
	{
		Name: "ann_thyroid", Rows: 7200, Features: 21, Classes: 3,
		About:   "an ill thyroid (1, 2), in numbers",
		First:   "--prefer '1;2'",
		Licence: "CC BY 4.0",
		Cite:    "R. Quinlan, R. Werner, Thyroid Disease, doi:10.24432/C5D010",
		URL:     "https://archive.ics.uci.edu/static/public/102/thyroid+disease.zip",
		SHA256:  "4a78a7440b1d67d653c7a106f38652ec37b4c830a3fc079590121ce03b138617",
		Layout: Layout{
			Members: []string{"ann-train.data", "ann-test.data"}, Separator: ' ',
			Shorten: true,
			Columns: "age,sex,on_thyroxine,query_on_thyroxine,on_antithyroid_medication,sick,pregnant,thyroid_surgery,I131_treatment," +
				"query_hypothyroid,query_hyperthyroid,lithium,goitre,tumor,hypopituitary,psych,TSH,T3,TT4,T4U,FTI,class",
		},
	},
	{
		Name: "wine_quality_white", Rows: 4898, Features: 11, Classes: 7,
		About:   "the mark of a white wine",
		First:   "--positive 8 --prefer 8",
		Licence: "CC BY 4.0",
		Cite:    "P. Cortez, A. Cerdeira, F. Almeida, T. Matos, J. Reis, Wine Quality, doi:10.24432/C56S3T",
		URL:     "https://archive.ics.uci.edu/static/public/186/wine+quality.zip",
		SHA256:  "8aeb99515422d5ea5aad2b8a78f486ba6ab5ec0a9d956dc73f74c4a683ae9598",
		Layout: Layout{
			Members: []string{"winequality-white.csv"}, Separator: ';',
			Header: true,
			Columns: "fixed_acidity,volatile_acidity,citric_acid,residual_sugar,chlorides,free_sulfur_dioxide,total_sulfur_dioxide,density," +
				"ph,sulphates,alcohol,class",
		},
	},
	{
		Name: "abalone", Rows: 4177, Features: 8, Classes: 28,
		About:   "the age of a shell, in rings",
		First:   "--positive 19 --prefer 19",
		Licence: "CC BY 4.0",
		Cite:    "W. Nash, T. Sellers, S. Talbot, A. Cawthorn, W. Ford, Abalone, doi:10.24432/C55C7W",
		URL:     "https://archive.ics.uci.edu/static/public/1/abalone.zip",
		SHA256:  "0daec39b47c60ca786f5c9a60574ec71b1c616f5c1e63b447080c70b06d1e43f",
		Layout: Layout{
			Members: []string{"abalone.data"}, Separator: ',',
			Columns: "sex,length,diameter,height,whole_weight,shucked_weight,viscera_weight,shell_weight,class",
		},
	},
	{
		Name: "pendigits", Rows: 10992, Features: 16, Classes: 10,
		About:   "which digit, by the track of a pen",
		First:   "--positive 9 --prefer 9",
		Licence: "CC BY 4.0",
		Cite:    "E. Alpaydin, F. Alimoglu, Pen-Based Recognition of Handwritten Digits, doi:10.24432/C5MG6K",
		URL:     "https://archive.ics.uci.edu/static/public/81/pen+based+recognition+of+handwritten+digits.zip",
		SHA256:  "97d93e28f0cdc4fd4f0ba71e6c8131db37e6c59c8c65359ddd3d01011b6afbd7",
		Layout: Layout{
			Members: []string{"pendigits.tra", "pendigits.tes"}, Separator: ',',
			Columns: "x1,y1,x2,y2,x3,y3,x4,y4,x5,y5,x6,y6,x7,y7,x8,y8,class",
		},
	},
	{
		Name: "optdigits", Rows: 5620, Features: 64, Classes: 10,
		About:   "which digit, by ink in 8 x 8 fields",
		First:   "--positive 8 --prefer 8",
		Licence: "CC BY 4.0",
		Cite:    "E. Alpaydin, C. Kaynak, Optical Recognition of Handwritten Digits, doi:10.24432/C50P49",
		URL:     "https://archive.ics.uci.edu/static/public/80/optical+recognition+of+handwritten+digits.zip",
		SHA256:  "4c0676d1c4ff4cceb917df8b0e5073485766739f72d47332a9b6e33c44868cae",
		Layout: Layout{
			Members: []string{"optdigits.tra", "optdigits.tes"}, Separator: ',',
			Columns: "c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,c16,c17,c18,c19,c20,c21,c22,c23,c24,c25,c26,c27,c28,c29,c30,c31," +
				"c32,c33,c34,c35,c36,c37,c38,c39,c40,c41,c42,c43,c44,c45,c46,c47,c48,c49,c50,c51,c52,c53,c54,c55,c56,c57,c58,c59,c60," +
				"c61,c62,c63,class",
		},
	},
	{
		Name: "vehicle", Rows: 846, Features: 18, Classes: 4,
		About:   "which vehicle, by its outline",
		First:   "--positive van --prefer van",
		Licence: "CC BY 4.0",
		Cite:    "P. Mowforth, B. Shepherd, Statlog (Vehicle Silhouettes), Turing Institute, Glasgow",
		URL:     "https://archive.ics.uci.edu/static/public/149/statlog+vehicle+silhouettes.zip",
		SHA256:  "c39d6c9f22e45930a829d9d944b94616aae31e656049c608c37843cd562b2aa8",
		Layout: Layout{
			Members:   []string{"xaa.dat", "xab.dat", "xac.dat", "xad.dat", "xae.dat", "xaf.dat", "xag.dat", "xah.dat", "xai.dat"},
			Separator: ' ',
			Columns: "COMPACTNESS,CIRCULARITY,DISTANCE CIRCULARITY,RADIUS RATIO,PR.AXIS ASPECT RATIO,MAX.LENGTH ASPECT " +
				"RATIO,SCATTER RATIO," +
				"ELONGATEDNESS,PR.AXIS RECTANGULARITY,MAX.LENGTH RECTANGULARITY,SCALED VARIANCE_MAJOR,SCALED VARIANCE_MINOR," +
				"SCALED RADIUS OF GYRATION,SKEWNESS ABOUT_MAJOR,SKEWNESS ABOUT_MINOR,KURTOSIS ABOUT_MAJOR,KURTOSIS ABOUT_MINOR," +
				"HOLLOWS RATIO,class",
		},
	},
	{
		Name: "glass", Rows: 214, Features: 9, Classes: 6,
		About:   "which kind of glass, by chemistry",
		First:   "--positive 7 --prefer 7",
		Licence: "CC BY 4.0",
		Cite:    "B. German, Glass Identification, doi:10.24432/C5WW2P",
		URL:     "https://archive.ics.uci.edu/static/public/42/glass+identification.zip",
		SHA256:  "edb229afdcb096cb6f65403b185ddc70b698d859938e6a17533a57d985bbcae2",
		Layout: Layout{
			Members: []string{"glass.data"}, Separator: ',',
			Shorten: true,
			Columns: "-,RI,Na,Mg,Al,Si,K,Ca,Ba,Fe,class",
		},
	},
	{
		Name: "ecoli", Rows: 336, Features: 7, Classes: 8,
		About:   "where in the cell a protein is",
		First:   "--positive imU --prefer imU",
		Licence: "CC BY 4.0",
		Cite:    "K. Nakai, Ecoli, doi:10.24432/C5388M",
		URL:     "https://archive.ics.uci.edu/static/public/39/ecoli.zip",
		SHA256:  "285ea2b210f6a00fc94235da01d4536f8b42f76aa5cefd081133182efece41bd",
		Layout: Layout{
			Members: []string{"ecoli.data"}, Separator: ' ',
			Columns: "-,mcg,gvh,lip,chg,aac,alm1,alm2,class",
		},
	},
	{
		Name: "mushroom", Rows: 8124, Features: 22, Classes: 2,
		About:   "a poisonous mushroom (p)",
		First:   "--prefer p",
		Licence: "CC BY 4.0",
		Cite:    "Mushroom, of the Audubon Society Field Guide, 1981, given by J. Schlimmer, doi:10.24432/C5959T",
		URL:     "https://archive.ics.uci.edu/static/public/73/mushroom.zip",
		SHA256:  "02c1173e22944692a200fe4bc4356694cdc3906396fccf4b1e043c96a7d0a9d3",
		Layout: Layout{
			Members: []string{"agaricus-lepiota.data"}, Separator: ',',
			Missing: "?",
			Columns: "class,cap-shape,cap-surface,cap-color,bruises,odor,gill-attachment,gill-spacing,gill-size,gill-color,stalk-shape," +
				"stalk-root,stalk-surface-above-ring,stalk-surface-below-ring,stalk-color-above-ring,stalk-color-below-ring,veil-type," +
				"veil-color,ring-number,ring-type,spore-print-color,population,habitat",
		},
	},
	{
		Name: "nursery", Rows: 12960, Features: 8, Classes: 5,
		About:       "how urgent a place in a nursery is",
		First:       "--positive very_recom --prefer very_recom",
		Categorical: []string{"children"},
		Licence:     "CC BY 4.0",
		Cite:        "V. Rajkovic, Nursery, doi:10.24432/C5P88W",
		URL:         "https://archive.ics.uci.edu/static/public/76/nursery.zip",
		SHA256:      "cfd50f92b8b65b8d398670ce13f1e78fbc0d452ff26906de8b4497f909716951",
		Layout: Layout{
			Members: []string{"nursery.data"}, Separator: ',',
			Columns: "parents,has_nurs,form,children,housing,finance,social,health,class",
		},
	},
	{
		Name: "car", Rows: 1728, Features: 6, Classes: 4,
		About:       "how good a car is to buy",
		First:       "--positive vgood --prefer vgood",
		Categorical: []string{"doors", "persons"},
		Licence:     "CC BY 4.0",
		Cite:        "M. Bohanec, Car Evaluation, doi:10.24432/C5JP48",
		URL:         "https://archive.ics.uci.edu/static/public/19/car+evaluation.zip",
		SHA256:      "0023b86e0dd3502aaa0e4a610ef4d8aebbba7ff40f53fa7c2f0543c68bee5114",
		Layout: Layout{
			Members: []string{"car.data"}, Separator: ',',
			Columns: "buying,maint,doors,persons,lug_boot,safety,class",
		},
	},
}
