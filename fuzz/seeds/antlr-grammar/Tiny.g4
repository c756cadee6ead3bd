grammar Tiny;

import Words;

tokens { NEVER }

program : (assignment | NEVER)* EOF ;
assignment : 'let' name '=' (name | NUMBER) ';' ;

NUMBER : [0-9]+ ;
// The imported rule has another meaning.
WORD   : [a-z] [a-z0-9]* ;
