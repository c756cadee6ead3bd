parser grammar MarkupParser;

options { tokenVocab = MarkupLexer; }

document  : element EOF ;
element   : '<' NAME attribute* '>' content '</' NAME '>'
          | '<' NAME attribute* '/>'
          ;
attribute : NAME '=' STRING ;
content   : (TEXT | ENTITY | CDATA | element)* ;
