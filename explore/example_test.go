package explore_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/rfpragma/rfpragma/explore"
	"github.com/rfpragma/rfpragma/vote"
)

// A page on the votes of any model, in a server of one's own.
func ExampleNew() {
	votes, err := vote.ReadCSV(strings.NewReader("class,ill,well\nill,12,8\nill,7,13\nwell,1,19\nwell,8,12\n"), "votes.csv",
		vote.CSVOptions{})
	if err != nil {
		log.Fatal(err)
	}
	page, err := explore.New(context.Background(), explore.Source{Name: "votes.csv", Votes: votes}, explore.Options{})
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(page) // in a program: net.Listen on 127.0.0.1, then http.Serve
	defer server.Close()
	setting := url.Values{"prefer": {"ill"}, "weight": {"ill=2"}}
	answer, err := server.Client().Get(server.URL + page.Path() + "answer?" + setting.Encode())
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	fmt.Println(answer.Status, strings.Contains(string(text), `"confusion":[[2,0],[1,1]]`), err)
	// Output:
	// 200 OK true <nil>
}
