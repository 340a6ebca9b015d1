package foreign

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is no forest, or one that cannot be told, is an error that says where and what.
func TestErrors(t *testing.T) {
	file := func(name string) string {
		text, err := os.ReadFile(filepath.Join("testdata", "models", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	lgb, xgb, sk := file("lightgbm.txt"), file("xgboost.json"), file("sklearn-forest.json")
	ranger, onnx, ubj := file("ranger-votes-partition.json"), file("onnx-forest.onnx"), file("xgboost-ubj.ubj")
	change := func(text, from, to string) string {
		changed := strings.Replace(text, from, to, 1)
		if changed == text {
			t.Fatalf("no %q to change", from)
		}
		return changed
	}
	for name, c := range map[string]struct {
		text, want string
		o          Options
	}{
		"nothing":              {"", "the file is empty", Options{}},
		"a pickle":             {"\x80\x04\x95", "this is no model of LightGBM", Options{}},
		"other JSON":           {`{"a":1}`, "must be that of XGBoost, or name scikit-learn or ranger", Options{}},
		"cut JSON":             {sk[:500], "JSON, byte 500: unexpected end", Options{}},
		"a regressor":          {change(sk, "ForestClassifier", "ForestRegressor"), `kind "RandomForestRegressor"`, Options{}},
		"a list too short":     {change(sk, `"right": [`, `"right": [1, `), "of right for", Options{}},
		"a circle":             {change(sk, `"left": [1,`, `"left": [0,`), "node 0 has two parents", Options{}},
		"few names":            {lgb, "names 2 classes, and the model decides 3", Options{Classes: []string{"a", "b"}}},
		"few features":         {xgb, "names 1 features, and the model has 4", Options{Features: []string{"a"}}},
		"a class twice":        {xgb, "two of its class names are", Options{Classes: []string{"a", "b", "a"}}},
		"LightGBM, cut":        {lgb[:2000], "cut short", Options{}},
		"LightGBM, regression": {change(lgb, "objective=multiclass", "objective=regression"), `objective "regression"`, Options{}},
		"LightGBM, linear":     {change(lgb, "is_linear=0", "is_linear=1"), "tree 0: its leaves are linear models", Options{}},
		"LightGBM, child":      {change(lgb, "left_child=", "left_child=99 "), "left_child for", Options{}},
		"XGBoost, dart":        {change(xgb, `"name":"gbtree"`, `"name":"dart"`), `booster "dart"`, Options{}},
		"XGBoost, ranking":     {change(xgb, "multi:softprob", "rank:ndcg"), `objective "rank:ndcg"`, Options{}},
		"XGBoost, not ASCII":   {change(xgb, `"values":[98,`, `"values":[-61,`), "not ASCII", Options{}},
		"XGBoost, many classes": {change(xgb, `"num_class":"3"`, `"num_class":"3000000000"`), "from 2 to 1000",
			Options{}},
		"UBJ, cut":         {ubj[:len(ubj)-9], "UBJ: byte", Options{}},
		"UBJ, too long":    {"{L\x7f\xff\xff\xff\xff\xff\xff\xff", "a text of 9223372036854775807 bytes", Options{}},
		"UBJ, too deep":    {"{i\x01a" + strings.Repeat("[", 1000), "more than 100 values lie in each other", Options{}},
		"ranger, level":    {change(ranger, `"class_values":[`, `"class_values":[9,`), "class value 9 of 3 classes", Options{}},
		"ONNX, cut":        {onnx[:len(onnx)/2], "the wire format is broken", Options{}},
		"ONNX, no trees":   {strings.ReplaceAll(onnx, "TreeEnsembleClassifier", "TreeEnsembleClassifieX"), "has no TreeEnsembleClassifier", Options{}},
		"ONNX, other mode": {change(onnx, "BRANCH_LEQ", "BRANCH_ODD"), `the mode "ODD"`, Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(strings.NewReader(c.text), "a.file", c.o)
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) ||
				!strings.HasPrefix(err.Error(), "a.file: ") {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
}

// A threshold lets pass what the comparison in float32 lets pass, up to the cells next to it.
func TestFloat32(t *testing.T) {
	for _, v := range []float32{0, 1, -1, 0.1, -0.1, 16777217, 1e-45, -1e-45, math.MaxFloat32, -math.MaxFloat32, 3.4e38, 1e-38} {
		for _, c := range []struct {
			at   float64
			pass func(x float32) bool
		}{
			{below(v), func(x float32) bool { return x < v }},
			{atMost(float64(v)), func(x float32) bool { return x <= v }},
			{atMost(math.Nextafter(float64(v), 1e300)), func(x float32) bool { return float64(x) <= math.Nextafter(float64(v), 1e300) }},
		} {
			past := math.Nextafter(c.at, math.Inf(1))
			if !c.pass(float32(c.at)) || c.pass(float32(past)) && !math.IsInf(past, 1) && past < math.MaxFloat64 {
				t.Errorf("%v: %v passes %v, the next %v", v, c.at, c.pass(float32(c.at)), c.pass(float32(past)))
			}
		}
	}
}

// UBJSON becomes JSON of the same values: counted lists of a type, counted ones, and ones that end with a bracket.
func TestUBJ(t *testing.T) {
	be := binary.BigEndian
	long := be.AppendUint32(nil, math.Float32bits(0.1))
	for _, c := range []struct{ ubj, want string }{
		{"{i\x01a[$d#i\x01" + string(long) + "i\x01bSi\x02hi}", `{"a":[0.1],"b":"hi"}`},
		{"{i\x01a[#i\x02TFi\x01b{}}", `{"a":[true,false],"b":{}}`},
		{"{i\x01a[i\xffU\xffI\x01\x00Zl\x00\x01\x00\x00]}", `{"a":[-1,255,256,null,65536]}`},
	} {
		if got, err := ubjToJSON([]byte(c.ubj)); err != nil || string(got) != c.want {
			t.Errorf("%q: %s, %v", c.ubj, got, err)
		}
	}
}

// A page shows the scripts that the models of the tests were written by.
func TestScripts(t *testing.T) {
	page, err := os.ReadFile("../docs/how-to/foreign.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sklearn_json.py", "ranger_json.R"} {
		script, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), strings.TrimSpace(string(script))) {
			t.Errorf("the page does not show %s", name)
		}
	}
}
