grammar All;
import Other;
options { caseInsensitive = true; }
tokens { A, B }
channels { C }
@header { int x; }
s : a=x+ | {p()}? y* # Named | ~(ID | 'x') ('a'..'b')?? EOF ;
x : ID | '(' s ')' | <assoc=right> x '^' x | x ('*' | '/') x ;
y locals [int i] : ID {action();} ; catch [E e] { }
ID : [a-zA-Z_\u0041\u{1F600}] [\p{L}\-\]]* -> type(A), channel(C) ;
fragment F : ~["\r\n] .*? ;
WS : [ \t]+ -> skip ;
mode M ;
END : '>' -> popMode ;
