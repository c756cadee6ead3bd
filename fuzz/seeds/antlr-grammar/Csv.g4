grammar Csv;

file  : header=row row* EOF ;
row   : cell (',' cell)* '\r'? '\n' ;
cell  : QUOTED | TEXT | ;

QUOTED : '"' ('""' | ~'"')* '"' ;
TEXT   : ~[,"\r\n]+ ;
