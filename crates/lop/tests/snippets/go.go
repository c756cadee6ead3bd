// Package bank keeps simple accounts.
package bank

import (
	"errors"
	"fmt"
	str "strings"
	"sync"
)

const (
	Open State = iota
	Frozen
	Closed
)

// State says what may be done to an account.
type State int

type Number interface {
	~int | ~int64 | ~float64
}

type Account struct {
	sync.Mutex
	ID      string `json:"id"`
	balance int64
	state   State
	history []func(amount int64) error
}

type Store interface {
	Find(id string) (*Account, bool)
	Close() error
}

var (
	ErrEmpty = errors.New("not enough \"money\"")
	limits   = map[State]int64{Open: 1000, Frozen: 0}
)

func (a *Account) Withdraw(amount int64) (err error) {
	a.Lock()
	defer a.Unlock()
	if left := a.balance - amount; left < 0 {
		return fmt.Errorf("account %s: %w", a.ID, ErrEmpty)
	} else if a.state != Open || amount > limits[a.state] {
		err = errors.New(`limit \ state`)
	} else {
		a.balance = left
	}
	return
}

func Sum[T Number](values ...T) T {
	var total T
	for _, value := range values {
		total += value
	}
	return total
}

func describe(thing any) string {
	switch v := thing.(type) {
	case nil:
		return "nothing"
	case int, int64:
		return fmt.Sprint(v)
	case *Account:
		return str.ToUpper(v.ID[1:]) + "\n"
	default:
		return string('\x41')
	}
}

func run(jobs <-chan int, done chan<- bool) {
outer:
	for i := 0; ; i++ {
		select {
		case job, ok := <-jobs:
			if !ok || job&^1 == 0 {
				break outer
			}
			fmt.Println(describe(job), Sum(1.5, 2), [...]int{1, 2, 3})
		default:
			continue
		}
	}
	go func() { done <- true }()
}
