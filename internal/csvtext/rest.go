package csvtext

// RestOf returns the name of the class into which all classes but the positive one are merged: rest, or others
// if rest is the positive one.
func RestOf(positive string) string {
	if positive == "rest" {
		return "others"
	}
	return "rest"
}
