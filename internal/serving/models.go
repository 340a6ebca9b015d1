package serving

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/serve"
)

// models are those that are served, and the files that they come from.
type models struct {
	mu      sync.Mutex
	files   []source
	served  map[string]*serve.Holder
	shadows map[string]*serve.Holder
}

// source is a file, and where the model in it goes.
type source struct {
	path string
	to   *serve.Holder
	was  os.FileInfo // when it was last read
}

// load reads all files for the first time.
func load(r *Request) (*models, error) {
	m := &models{served: map[string]*serve.Holder{}, shadows: map[string]*serve.Holder{}}
	for _, group := range []struct {
		files []File
		to    map[string]*serve.Holder
	}{{r.Models, m.served}, {r.Shadows, m.shadows}} {
		for _, f := range group.files {
			was, err := os.Stat(f.Path)
			if err != nil {
				return nil, err
			}
			model, err := rfpragma.Load(f.Path)
			if err != nil {
				return nil, err
			}
			holder, err := serve.NewHolder(model)
			if err != nil {
				return nil, err
			}
			group.to[f.Name] = holder
			m.files = append(m.files, source{f.Path, holder, was})
		}
	}
	return m, nil
}

// changed tells whether a file is another than when it was last read.
func (m *models) changed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.files {
		f := &m.files[i]
		if now, err := os.Stat(f.path); err == nil && (!os.SameFile(now, f.was) || now.Size() != f.was.Size() ||
			!now.ModTime().Equal(f.was.ModTime())) {
			return true
		}
	}
	return false
}

// read reads all files anew. Where one is damaged all models stay as they are. A model that is the same stays, with
// what
// was counted of it.
func (m *models) read() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	fresh := make([]*rfpragma.Model, len(m.files))
	for i := range m.files {
		f := &m.files[i]
		now, err := os.Stat(f.path)
		if err != nil {
			return err
		}
		f.was = now // also of one that is damaged, which is not to be read again before it changes
		if fresh[i], err = rfpragma.Load(f.path); err != nil {
			return err
		}
	}
	for i, model := range fresh {
		to := m.files[i].to
		was, err := to.Model().ID()
		if err != nil {
			return err
		}
		if now, err := model.ID(); err != nil || now == was {
			continue // of a model that was just read there is no error
		}
		if err := to.Swap(model); err != nil {
			return err
		}
	}
	return nil
}

// Files reads arguments: NAME=FILE, or a file alone, which has the given name, or else that of the file.
func Files(args []string, name string) (all []File, err error) {
	for _, arg := range args {
		of := File{name, arg}
		if before, after, named := strings.Cut(arg, "="); named && !strings.ContainsAny(before, `/\`) {
			of = File{before, after}
		} else if name == "" {
			base := filepath.Base(arg)
			of.Name = strings.TrimSuffix(base, filepath.Ext(base))
		}
		if slices.ContainsFunc(all, func(f File) bool { return f.Name == of.Name }) {
			return nil, fmt.Errorf("two files are called %.80q; give each a name of its own, as NAME=%.256s", of.Name, of.Path)
		}
		all = append(all, of)
	}
	return all, nil
}
