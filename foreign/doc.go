// Package foreign reads forests that other programs grew: those of scikit-learn and ranger, from JSON that a short
// script writes, models of LightGBM and XGBoost, and tree ensembles of ONNX. They become a [forest.Forest], which
// answers to the bit as its own program does, up to the last digit of an exponential; so votes can be tuned and
// calibrated, and the model be saved, as those of our own.
//
// Only wire formats and text are read, nothing is run: no pickle. What a file says of its sizes is held against its
// length before memory is taken. All errors of what is in a file wrap [ErrFormat].
package foreign
