package main

var searches []way
