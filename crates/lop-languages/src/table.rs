// The bundled languages. Data only: the build script reads this file too, to find the grammars and
// to write the code that names the parsers.

/// The properties of a bundled language that are known without loading it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Entry {
    /// Its word for `--language`.
    pub name: &'static str,
    /// Other names that people use for it, in lower case. Its extensions are names, too.
    pub aliases: &'static [&'static str],
    /// The cargo feature that includes it.
    pub feature: &'static str,
    /// The package it comes from.
    pub package: &'static str,
    /// The path of the grammar in that package.
    pub grammar: &'static str,
    /// The path of the parser in that package, as a path in Rust.
    pub parser: &'static str,
    /// The extensions of its files.
    pub extensions: &'static [&'static str],
    /// The programs in a first line `#!` that run it, without a version.
    pub interpreters: &'static [&'static str],
    /// The nodes whose text is in another language.
    pub islands: &'static [Island],
    /// The meaning of white space in it.
    pub layout: Layout,
    /// The characters of words besides letters and digits.
    pub joins: &'static str,
    /// The labels of nodes for which the grammar accepts children that the parser rejects, so that candidates should be
    /// parsed.
    pub approximate: &'static [&'static str],
    /// The least texts of labels for which the grammar's own is worse.
    pub minimal: &'static [(&'static str, &'static str)],
    /// The language whose highlight query comes before its own, if it extends one.
    pub extends: &'static str,
    /// Whether the name of a file is a name in the program: that of a crate, a module or a class. Then a copy with another name may
    /// not compile.
    pub names_by_file: bool,
    /// Whether its standard makes every reader refuse a text that isn't well-formed. Then results are well-formed.
    pub well_formed: bool,
}

/// A kind of node whose text is in another language.
#[derive(Debug)]
#[non_exhaustive]
pub struct Island {
    /// The label of the parent.
    pub inside: &'static str,
    /// The label of the node.
    pub node: &'static str,
    /// The name of the language of its text.
    pub language: &'static str,
}

/// The meaning of white space in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// It only separates tokens.
    Free,
    /// Indentation makes blocks, and the rules with these names must keep one of their repeated
    /// parts: the parser accepts an empty block, the language does not.
    Indented(&'static [&'static str]),
}

/// An entry of the usual kind, named as its feature.
const fn entry(
    name: &'static str,
    package: &'static str,
    parser: &'static str,
    extensions: &'static [&'static str],
) -> Entry {
    Entry {
        name,
        aliases: &[],
        feature: name,
        package,
        grammar: "src/grammar.json",
        parser,
        extensions,
        interpreters: &[],
        islands: &[],
        layout: Layout::Free,
        joins: "",
        approximate: &[],
        minimal: &[],
        extends: "",
        names_by_file: false,
        well_formed: false,
    }
}

/// All languages that lop can be built with, by name. If two claim an extension, the first one gets it.
#[rustfmt::skip]
pub const TABLE: &[Entry] = &[
    Entry {
        aliases: &["shell", "ksh", "dash", "posix-shell"],
        interpreters: &["sh", "bash", "dash", "ksh", "zsh"],
        // The meaning of the text in `[[ ]]` and `${ }` depends on its surroundings, and that of here-documents on
        // lines far away.
        joins: "!$%*/:<=>?^~+-.@#[]{}",
        approximate: &["binary_expression", "test_command", "expansion", "heredoc_body"],
        minimal: &[("word", "a"), ("variable_name", "a")],
        ..entry("bash", "tree-sitter-bash", "tree_sitter_bash::LANGUAGE", &["sh", "bash", "zsh", "ebuild"])
    },
    entry("c", "tree-sitter-c", "tree_sitter_c::LANGUAGE", &["c", "h", "i"]),
    Entry {
        aliases: &["c#", "csharp"],
        ..entry("c-sharp", "tree-sitter-c-sharp", "tree_sitter_c_sharp::LANGUAGE", &["cs", "csx"])
    },
    Entry {
        extends: "c",
        ..entry("cpp", "tree-sitter-cpp", "tree_sitter_cpp::LANGUAGE",
            &["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ii", "C", "H", "tcc", "inl", "cu", "cuh"])
    },
    Entry {
        // A declaration outside of a block looks like a selector.
        joins: "-",
        approximate: &["stylesheet", "pseudo_class_selector"],
        ..entry("css", "tree-sitter-css", "tree_sitter_css::LANGUAGE", &["css"])
    },
    Entry {
        aliases: &["opengl"],
        extends: "c",
        ..entry("glsl", "tree-sitter-glsl", "tree_sitter_glsl::LANGUAGE_GLSL",
            &["glsl", "vert", "frag", "comp", "geom", "tesc", "tese", "vs", "fs"])
    },
    Entry {
        aliases: &["golang"],
        ..entry("go", "tree-sitter-go", "tree_sitter_go::LANGUAGE", &["go"])
    },
    entry("graphql", "tree-sitter-graphql", "tree_sitter_graphql::LANGUAGE", &["graphql", "gql", "graphqls"]),
    Entry {
        interpreters: &["runhaskell", "runghc"],
        layout: Layout::Indented(&[]),
        // Any expression may be a splice, and whether a node is a declaration depends on its neighbours.
        approximate: &["splice", "declarations", "class_declarations", "newtype_constructor"],
        ..entry("haskell", "tree-sitter-haskell", "tree_sitter_haskell::LANGUAGE", &["hs"])
    },
    Entry {
        islands: &[
            Island { inside: "script_element", node: "raw_text", language: "javascript" },
            Island { inside: "style_element", node: "raw_text", language: "css" },
        ],
        // A value may need its quotes.
        approximate: &["attribute"],
        ..entry("html", "tree-sitter-html", "tree_sitter_html::LANGUAGE", &["html", "htm", "xhtml"])
    },
    Entry {
        names_by_file: true,
        ..entry("java", "tree-sitter-java", "tree_sitter_java::LANGUAGE", &["java"])
    },
    Entry {
        aliases: &["ecmascript", "node"],
        interpreters: &["node", "nodejs", "bun", "d8", "js", "qjs"],
        ..entry("javascript", "tree-sitter-javascript", "tree_sitter_javascript::LANGUAGE", &["js", "mjs", "cjs", "jsx"])
    },
    entry("json", "tree-sitter-json", "tree_sitter_json::LANGUAGE", &["json", "geojson", "ipynb", "webmanifest", "sarif"]),
    entry("kotlin", "tree-sitter-kotlin-ng", "tree_sitter_kotlin_ng::LANGUAGE", &["kt", "kts"]),
    Entry {
        aliases: &["llvm-ir", "ir"],
        ..entry("llvm", "tree-sitter-llvm", "tree_sitter_llvm::LANGUAGE", &["ll"])
    },
    Entry {
        interpreters: &["lua", "luajit"],
        ..entry("lua", "tree-sitter-lua", "tree_sitter_lua::LANGUAGE", &["lua"])
    },
    Entry {
        grammar: "grammars/ocaml/src/grammar.json",
        interpreters: &["ocaml"],
        names_by_file: true,
        ..entry("ocaml", "tree-sitter-ocaml", "tree_sitter_ocaml::LANGUAGE_OCAML", &["ml"])
    },
    Entry {
        feature: "ocaml",
        names_by_file: true,
        grammar: "grammars/interface/src/grammar.json",
        ..entry("ocaml-interface", "tree-sitter-ocaml", "tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE", &["mli"])
    },
    Entry {
        interpreters: &["perl"],
        // Between statements there are semicolons, and some statements need none.
        approximate: &["source_file", "block"],
        minimal: &[
            ("varname", "a"), ("scalar", "$a"), ("array", "@a"), ("hash", "%a"), ("container_variable", "$a"),
            ("autoquoted_bareword", "a"), ("interpolated_string_literal", "\"\""),
        ],
        ..entry("perl", "ts-parser-perl", "ts_parser_perl::LANGUAGE", &["pl", "pm", "t", "psgi"])
    },
    Entry {
        grammar: "php/src/grammar.json",
        interpreters: &["php"],
        ..entry("php", "tree-sitter-php", "tree_sitter_php::LANGUAGE_PHP", &["php", "phtml", "phpt"])
    },
    Entry {
        aliases: &["python3", "py3"],
        interpreters: &["python", "pypy"],
        names_by_file: true,
        layout: Layout::Indented(&["block"]),
        minimal: &[("block", "pass"), ("string", "''")],
        ..entry("python", "tree-sitter-python", "tree_sitter_python::LANGUAGE", &["py", "pyi", "pyw"])
    },
    Entry {
        interpreters: &["Rscript"],
        ..entry("r", "tree-sitter-r", "tree_sitter_r::LANGUAGE", &["r", "R"])
    },
    Entry {
        interpreters: &["ruby", "jruby"],
        // Whether brackets are arguments or an expression depends on blanks, and here-documents on
        // lines far away.
        approximate: &["call", "return", "heredoc_body"],
        minimal: &[("string", "''")],
        ..entry("ruby", "tree-sitter-ruby", "tree_sitter_ruby::LANGUAGE", &["rb", "rake", "gemspec"])
    },
    Entry {
        names_by_file: true,
        minimal: &[("string_literal", "\"\"")],
        ..entry("rust", "tree-sitter-rust", "tree_sitter_rust::LANGUAGE", &["rs"])
    },
    Entry {
        interpreters: &["scala"],
        layout: Layout::Indented(&[]),
        ..entry("scala", "tree-sitter-scala", "tree_sitter_scala::LANGUAGE", &["scala", "sc", "sbt"])
    },
    entry("solidity", "tree-sitter-solidity", "tree_sitter_solidity::LANGUAGE", &["sol"]),
    Entry {
        aliases: &["mysql", "postgres", "postgresql", "sqlite"],
        ..entry("sql", "tree-sitter-sequel", "tree_sitter_sequel::LANGUAGE", &["sql", "ddl", "dml"])
    },
    Entry {
        interpreters: &["swift"],
        names_by_file: true,
        ..entry("swift", "tree-sitter-swift", "tree_sitter_swift::LANGUAGE", &["swift"])
    },
    Entry {
        // The text of a string has no node, and its quotes are of four kinds.
        approximate: &["string"],
        ..entry("toml", "tree-sitter-toml-ng", "tree_sitter_toml_ng::LANGUAGE", &["toml"])
    },
    Entry {
        feature: "typescript",
        grammar: "tsx/src/grammar.json",
        extends: "javascript",
        ..entry("tsx", "tree-sitter-typescript", "tree_sitter_typescript::LANGUAGE_TSX", &["tsx"])
    },
    Entry {
        grammar: "typescript/src/grammar.json",
        interpreters: &["deno", "ts-node", "tsx"],
        extends: "javascript",
        ..entry("typescript", "tree-sitter-typescript", "tree_sitter_typescript::LANGUAGE_TYPESCRIPT", &["ts", "mts", "cts"])
    },
    Entry {
        aliases: &["systemverilog"],
        ..entry("verilog", "tree-sitter-verilog", "tree_sitter_verilog::LANGUAGE", &["v", "vh", "sv", "svh"])
    },
    entry("wgsl", "tree-sitter-wgsl-bevy", "tree_sitter_wgsl_bevy::LANGUAGE", &["wgsl"]),
    Entry {
        grammar: "xml/src/grammar.json",
        well_formed: true,
        ..entry("xml", "tree-sitter-xml", "tree_sitter_xml::LANGUAGE_XML",
            &["xml", "svg", "xsd", "xsl", "xslt", "rss", "atom", "plist", "kml", "gpx", "dae"])
    },
    Entry {
        layout: Layout::Indented(&[]),
        // What may follow a key depends on the key's line.
        approximate: &["block_mapping_pair"],
        ..entry("yaml", "tree-sitter-yaml", "tree_sitter_yaml::LANGUAGE", &["yaml", "yml"])
    },
    Entry {
        // Local and global declarations have the same label, but not the same form.
        approximate: &["source_file", "struct_declaration", "variable_declaration"],
        ..entry("zig", "tree-sitter-zig", "tree_sitter_zig::LANGUAGE", &["zig", "zon"])
    },
];
