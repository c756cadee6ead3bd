//! PDF files as they come: trees, object streams, encryption, mistakes, and files made to do harm.

use lopdf::dictionary;

use super::*;
use pdf::{check, file, stream};

fn format() -> Format {
    Format::named("pdf").unwrap()
}

/// A catalog, a page tree with these children, and other objects from number 3 on.
fn document(kids: &str, count: usize, others: Vec<Vec<u8>>) -> Vec<u8> {
    let pages = format!("<< /Type /Pages /Kids [{kids} ] /Count {count} >>");
    let first = [b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(), pages.into_bytes()];
    let objects: Vec<(usize, Vec<u8>)> = (1..).zip(first.into_iter().chain(others)).collect();
    file(&objects)
}

fn page(content: usize) -> Vec<u8> {
    format!("<< /Type /Page /Parent 2 0 R /MediaBox [ 0 0 9 9 ] /Contents {content} 0 R >>").into()
}

fn two_pages() -> Vec<u8> {
    let text = |text: &str| stream("", format!("q\nBT\n/F1 9 Tf\n({text}) Tj\nET\nQ\n").as_bytes());
    document(" 3 0 R 4 0 R", 2, vec![page(5), page(6), text("first"), text("needle")])
}

fn node(tree: &Tree, label: &str, text: &str) -> NodeId {
    let mut nodes = tree.ids().filter(|node| tree.name(*node) == label);
    let found = nodes.find(|node| String::from_utf8_lossy(tree.text_of(*node)).contains(text));
    found.unwrap_or_else(|| panic!("no {label} with {text}"))
}

/// Cuts nodes, and returns the repaired file.
fn without(text: &Text, nodes: &[(&str, &str)]) -> String {
    let tree = Tree::parse(text, &format());
    let cuts: Vec<Change> =
        nodes.iter().map(|(label, text)| Change::cut(node(&tree, label, text))).collect();
    let bytes = format().parser().repair(tree.candidate(&cuts)).bytes();
    assert_eq!(check(&bytes), Ok(()));
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_tree_has_objects_pairs_under_their_keys_and_operations() {
    let text: Text = Arc::new(two_pages());
    let tree = Tree::parse(&text, &format());
    let pair = node(&tree, "pair", "/MediaBox");
    assert_eq!(tree.field(pair), Some("MediaBox"));
    assert_eq!(tree.name(tree.children(pair).nth(1).unwrap()), "array");
    for (label, text) in [
        ("object", "(needle)"),
        ("pair", "/Contents"),
        ("number", " 9"),
        ("reference", "4 0 R"),
        ("block", "(needle)"),
        ("operation", "(needle) Tj"),
    ] {
        assert!(tree.is_removable(node(&tree, label, text)), "{label} {text}");
    }
    // What opens and closes a block isn't removed alone.
    assert!(!tree.is_removable(node(&tree, "opening", "BT")));
    let count = |label: &str| tree.ids().filter(|node| tree.name(*node) == label).count();
    assert_eq!((count("object"), count("stream"), count("operation")), (6, 2, 4));
}

#[test]
fn whatever_nodes_are_hoisted_and_removed_together_the_file_is_well_formed() {
    let text: Text = Arc::new(two_pages());
    let tree = Tree::parse(&text, &format());
    let nodes: Vec<NodeId> = tree.ids().skip(1).filter(|node| !tree.is_leaf(*node)).collect();
    let mut random = lop_testing::random();
    for _ in 0..300 {
        // Some of them exclude each other: one may replace a node by a part that another removes.
        let changes: Vec<Change> = (0..random.usize(1..5))
            .map(|_| {
                let place = nodes[random.usize(..nodes.len())];
                let below: Vec<NodeId> = tree.descendants(place).collect();
                Change::hoist(place, below[random.usize(..below.len())])
            })
            .collect();
        let bytes = format().parser().repair(tree.candidate(&changes)).bytes();
        assert_eq!(check(&bytes), Ok(()), "{changes:?}");
    }
}

#[test]
fn references_to_a_removed_object_are_removed_with_it() {
    let text: Text = Arc::new(two_pages());
    let left = without(&text, &[("object", "/Contents 5 0 R"), ("object", "(first)")]);
    assert!(left.contains("/Kids [ 4 0 R ] /Count 1"), "{left}");
    assert!(
        left.contains("0 3\n") && left.contains("\n4 1\n") && left.contains("\n6 1\n"),
        "{left}"
    );
    let left = without(&text, &[("object", "(needle)")]);
    assert!(!left.contains("/Contents 6") && left.contains("/Count 2"), "{left}");
}

#[test]
fn bytes_of_a_key_or_a_reference_are_not_removed_if_that_makes_twins() {
    let text: Text = Arc::new(document(
        " 3 0 R 13 0 R",
        1,
        vec![b"<< /Type /Page /Parent 2 0 R /MediaBox [ 0 0 9 9 ] /A 1 /AB 2 >>".to_vec()],
    ));
    for part in ["1", "B"] {
        let place =
            text.windows(8).position(|it| it == b"13 0 R ]" && part == "1" || it == b"B 2 >>\ne");
        let place = place.unwrap();
        let candidate = Candidate::new(&text, vec![Edit::cut(place..place + 1)]);
        assert_eq!(format().parser().repair(candidate).bytes(), **text, "{part}");
    }
}

#[test]
fn lengths_follow_and_the_catalog_stays() {
    let text: Text = Arc::new(two_pages());
    let left = without(&text, &[("operation", "(needle) Tj"), ("object", "/Catalog")]);
    assert!(left.contains("/Catalog") && left.contains("/Length 19 "), "{left}");
    let left = without(&text, &[("block", "needle"), ("pair", "/Count"), ("pair", "/Pages")]);
    assert!(left.contains("/Length 0 ") && left.contains("/Count 2"), "{left}");
}

/// The file as modern programs write it: objects and the table are in compressed streams.
fn modern(file: &[u8]) -> Vec<u8> {
    let mut loaded = lopdf::Document::load_mem(file).unwrap();
    loaded.compress();
    let mut modern = Vec::new();
    loaded.save_modern(&mut modern).unwrap();
    modern
}

#[test]
fn object_streams_and_compressed_streams_are_opened() {
    let modern = modern(&two_pages());
    assert!(Tree::parse(&Arc::new(modern.clone()), &format()).ids().count() < 3);
    let unpacked = format().unpack(&modern).unwrap();
    assert_eq!(check(&unpacked), Ok(()));
    let tree = Tree::parse(&Arc::new(unpacked.clone()), &format());
    node(&tree, "operation", "(needle) Tj");
    assert_eq!(format().unpack(&unpacked), None);
    let rewritten = format().rewrite(&modern).unwrap();
    assert_eq!(check(&rewritten), Ok(()));
    assert_eq!(format().obstacle(&modern), None);
}

#[test]
fn a_modern_file_is_reduced_to_a_page_with_an_operation() {
    let text = |text: usize| stream("", format!("BT\n({text}) Tj\n(more) Tj\nET\n").as_bytes());
    let pages = 40;
    let kids: String = (0..pages).map(|page| format!(" {} 0 R", 3 + page)).collect();
    let others = (0..pages).map(|number| page(3 + pages + number));
    let others = others.chain((0..pages).map(|number| text(1000 + number))).collect();
    let modern = modern(&document(&kids, pages, others));
    let holds = |file: &[u8]| {
        let Ok(loaded) = lopdf::Document::load_mem(file) else { return false };
        loaded.page_iter().any(|page| {
            let content = loaded.get_page_content(page);
            content.windows(9).any(|window| window == b"(1023) Tj")
        })
    };
    let (result, tests) = reduce(modern, holds);
    assert_eq!(check(&result), Ok(()), "{}", String::from_utf8_lossy(&result));
    assert!(holds(&result) && result.len() < 600, "{}", String::from_utf8_lossy(&result));
    assert!(tests < 250, "{tests} tests");
}

#[test]
fn a_filter_chain_is_undone_as_far_as_it_is_known() {
    let data = b"3c616263640a3e>";
    let filters = "/Filter [ /ASCIIHexDecode /DCTDecode ] /DecodeParms [ null << /A 1 >> ]";
    let text = document("", 0, vec![stream(filters, data)]);
    let unpacked = String::from_utf8(format().unpack(&text).unwrap()).unwrap();
    assert!(unpacked.contains("/Filter [ /DCTDecode ] /DecodeParms [ << /A 1 >> ]"), "{unpacked}");
    assert!(unpacked.contains("/Length 7 >>\nstream\n<abcd\n>\nendstream"), "{unpacked}");
}

#[test]
fn encrypted_and_broken_files_say_so_and_stay_bytes() {
    let obstacle = |text: &[u8]| {
        assert_eq!((format().unpack(text), format().rewrite(text)), (None, None));
        let tree = Tree::parse(&Arc::new(text.to_vec()), &format());
        assert!(tree.ids().count() <= 2);
        format().obstacle(text).unwrap()
    };
    let mut loaded = lopdf::Document::load_mem(&two_pages()).unwrap();
    let secret = dictionary! {
        "Filter" => "Standard", "V" => 2, "R" => 3, "Length" => 128, "P" => -4,
        "O" => lopdf::Object::string_literal(vec![7; 32]),
        "U" => lopdf::Object::string_literal(vec![8; 32]),
    };
    let secret = loaded.add_object(secret);
    loaded.trailer.set("Encrypt", secret);
    loaded.trailer.set("ID", vec![lopdf::Object::string_literal("id"); 2]);
    let mut encrypted = Vec::new();
    loaded.save_to(&mut encrypted).unwrap();
    assert_eq!(obstacle(&encrypted), "is encrypted");
    for broken in
        [&b"%PDF-1.4\n"[..], b"%PDF-1.7 and nothing that is in a PDF", b"%PDF-1.4\n\xff(<<[/"]
    {
        assert!(obstacle(broken).starts_with("is broken"), "{}", obstacle(broken));
    }
    assert_eq!(format().obstacle(&two_pages()), None);
}

#[test]
fn a_stream_bomb_stays_compressed() {
    let bomb = miniz_oxide::deflate::compress_to_vec_zlib(&vec![0; 80 << 20], 6);
    assert!(bomb.len() < 100_000);
    let text = document("", 0, vec![stream("/Filter /FlateDecode", &bomb)]);
    assert_eq!(format().unpack(&text), None);
    assert_eq!(format().obstacle(&text), None);
    // As a stream of objects, too.
    let head = "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode";
    let table = "/Type /XRef /W [ 1 8 1 ] /Size 9 /Root 1 0 R /Filter /FlateDecode";
    let text = document("", 0, vec![stream(head, &bomb), stream(table, &bomb)]);
    let broken = [&text[..text.len() - 40], b"startxref\n9\n%%EOF"].concat();
    let unpacked = format().unpack(&broken);
    assert!(unpacked.is_none_or(|unpacked| unpacked.len() < 10_000));
}

#[test]
fn cycles_in_the_page_tree_end() {
    let node =
        |kids: &str| format!("<< /Type /Pages /Parent 2 0 R /Kids [{kids} ] /Count 7 >>").into();
    let nodes = vec![node(" 2 0 R 4 0 R 3 0 R"), node(" 3 0 R 1 0 R"), page(2)];
    let text: Text = Arc::new(document(" 3 0 R 4 0 R 5 0 R", 7, nodes));
    let tree = Tree::parse(&text, &format());
    for node in tree.ids().filter(|node| tree.is_removable(*node)) {
        let repaired = format().parser().repair(tree.candidate(&[Change::cut(node)])).bytes();
        assert!(lopdf::Document::load_mem(&repaired).is_ok());
    }
    format().pack(&text);
}

#[test]
fn deep_values_and_many_objects_take_little_time() {
    for (open, close) in [("[", "]"), ("<</A ", ">>"), ("(", ")")] {
        let deep =
            [open.repeat(100_000), close.repeat(100_000)].concat().replace("</A >", "</A 1>");
        let text: Text = Arc::new(document("", 0, vec![deep.into_bytes()]));
        let tree = Tree::parse(&text, &format());
        assert_eq!(tree.candidate(&[]).bytes(), **text);
        let inner = tree.ids().last().unwrap();
        format().parser().repair(tree.candidate(&[Change::cut(inner)]));
        // The same without a table of places, so that lopdf has to read it.
        let broken = [&text[..text.len() - 30], b"startxref\n1\n%%EOF"].concat();
        let _ = (format().unpack(&broken), format().obstacle(&broken));
        let open = [b"%PDF-1.4\n1 0 obj\n", open.repeat(100_000).as_bytes()].concat();
        assert!(format().obstacle(&open).is_some());
    }
    let many = (0..20_000).map(|number| format!("[ {number} 0 R ]").into_bytes()).collect();
    let text: Text = Arc::new(document("", 0, many));
    let tree = Tree::parse(&text, &format());
    let objects: Vec<NodeId> = tree.children(tree.root()).skip(100).take(15_000).collect();
    let cut = tree.candidate(&[Change::Cut(objects[0], objects[14_999])]);
    let repaired = format().parser().repair(cut).bytes();
    assert!(repaired.len() < text.len() / 3);
    assert_eq!(Tree::parse(&Arc::new(repaired), &format()).children(tree.root()).count(), 5_006);
    let broken = [&text[..text.len() - 40], b"startxref\n1\n%%EOF"].concat();
    let _ = format().unpack(&broken);
}
