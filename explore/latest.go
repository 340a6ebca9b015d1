package explore

import "sync"

// latest keeps a value for each of the keys that were asked for last, at most so many.
type latest[K comparable, V any] struct {
	most  int
	mutex sync.Mutex
	keys  []K
	all   map[K]*V
}

// of returns the value of a key, a new one if none is kept.
func (l *latest[K, V]) of(key K) *V {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if v, known := l.all[key]; known {
		return v
	}
	if l.all == nil {
		l.all = map[K]*V{}
	}
	if len(l.keys) == l.most {
		delete(l.all, l.keys[0])
		l.keys = l.keys[1:]
	}
	v := new(V)
	l.keys, l.all[key] = append(l.keys, key), v
	return v
}

// kept returns the value of a key; nil if none is kept.
func (l *latest[K, V]) kept(key K) *V {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.all[key]
}
