//! A regular expression matcher: parser, Thompson's construction, simulation. The standard library
//! for vectors and text, panics included.

#[derive(Clone, Debug)]
enum Node {
    Byte(u8),
    Any,
    Class(Vec<(u8, u8)>, bool),
    Split(usize, usize),
    Match,
}

struct Program {
    nodes: Vec<Node>,
}

struct Parser<'a> {
    source: &'a [u8],
    at: usize,
    nodes: Vec<Node>,
}

enum Tree {
    Empty,
    One(Node),
    Both(Box<Tree>, Box<Tree>),
    Either(Box<Tree>, Box<Tree>),
    Star(Box<Tree>),
    Plus(Box<Tree>),
    Maybe(Box<Tree>),
}

impl<'a> Parser<'a> {
    fn either(&mut self) -> Result<Tree, String> {
        let left = self.sequence()?;
        if self.source.get(self.at) == Some(&b'|') {
            self.at += 1;
            return Ok(Tree::Either(Box::new(left), Box::new(self.either()?)));
        }
        Ok(left)
    }

    fn sequence(&mut self) -> Result<Tree, String> {
        let mut tree = Tree::Empty;
        while let Some(one) = self.source.get(self.at) {
            if matches!(one, b'|' | b')') {
                break;
            }
            tree = Tree::Both(Box::new(tree), Box::new(self.repeated()?));
        }
        Ok(tree)
    }

    fn repeated(&mut self) -> Result<Tree, String> {
        let tree = Box::new(self.atom()?);
        let wrapped = match self.source.get(self.at) {
            Some(b'*') => Tree::Star(tree),
            Some(b'+') => Tree::Plus(tree),
            Some(b'?') => Tree::Maybe(tree),
            _ => return Ok(*tree),
        };
        self.at += 1;
        Ok(wrapped)
    }

    fn atom(&mut self) -> Result<Tree, String> {
        let one = self.source[self.at];
        self.at += 1;
        Ok(match one {
            b'(' => {
                let tree = self.either()?;
                if self.source.get(self.at) != Some(&b')') {
                    return Err(format!("missing ) at {}", self.at));
                }
                self.at += 1;
                tree
            }
            b'.' => Tree::One(Node::Any),
            b'[' => self.class()?,
            _ => Tree::One(Node::Byte(one)),
        })
    }

    fn class(&mut self) -> Result<Tree, String> {
        let negated = self.source.get(self.at) == Some(&b'^');
        self.at += negated as usize;
        let mut ranges = Vec::new();
        loop {
            let from = *self.source.get(self.at).ok_or_else(|| format!("missing ] at {}", self.at))?;
            self.at += 1;
            if from == b']' {
                return Ok(Tree::One(Node::Class(ranges, negated)));
            }
            let mut to = from;
            if self.source.get(self.at) == Some(&b'-') {
                to = self.source[self.at + 1];
                self.at += 2;
            }
            ranges.push((from, to));
        }
    }

    fn emit(&mut self, tree: &Tree) {
        match tree {
            Tree::Empty => {}
            Tree::One(node) => self.nodes.push(node.clone()),
            Tree::Both(a, b) => {
                self.emit(a);
                self.emit(b);
            }
            Tree::Either(a, b) => {
                let split = self.split();
                self.emit(a);
                let jump = self.split();
                self.patch(split, split + 1, jump + 1);
                self.emit(b);
                let end = self.nodes.len();
                self.patch(jump, end, end);
            }
            Tree::Star(a) => {
                let split = self.split();
                self.emit(a);
                let back = self.split();
                self.patch(back, split, split);
                self.patch(split, split + 1, back + 1);
            }
            Tree::Plus(a) => {
                let start = self.nodes.len();
                self.emit(a);
                let split = self.split();
                self.patch(split, start, split + 1);
            }
            Tree::Maybe(a) => {
                let split = self.split();
                self.emit(a);
                let end = self.nodes.len();
                self.patch(split, split + 1, end);
            }
        }
    }

    fn split(&mut self) -> usize {
        self.nodes.push(Node::Split(0, 0));
        self.nodes.len() - 1
    }

    fn patch(&mut self, at: usize, first: usize, second: usize) {
        self.nodes[at] = Node::Split(first, second);
    }
}

impl Program {
    fn compile(pattern: &str) -> Result<Program, String> {
        let mut parser = Parser { source: pattern.as_bytes(), at: 0, nodes: Vec::new() };
        let tree = parser.either()?;
        if parser.at < pattern.len() {
            return Err(format!("unexpected {:?} at {}", &pattern[parser.at..], parser.at));
        }
        parser.emit(&tree);
        parser.nodes.push(Node::Match);
        Ok(Program { nodes: parser.nodes })
    }

    fn follow(&self, list: &mut Vec<usize>, seen: &mut [bool], node: usize) {
        if std::mem::replace(&mut seen[node], true) {
            return;
        }
        match self.nodes[node] {
            Node::Split(a, b) => {
                self.follow(list, seen, a);
                self.follow(list, seen, b);
            }
            _ => list.push(node),
        }
    }

    /// Returns the length of the longest match from the start of a text.
    fn longest(&self, text: &[u8]) -> Option<usize> {
        let mut now = Vec::new();
        let mut best = None;
        self.follow(&mut now, &mut vec![false; self.nodes.len()], 0);
        for at in 0..=text.len() {
            let mut next = Vec::new();
            let mut seen = vec![false; self.nodes.len()];
            for &node in &now {
                let taken = match &self.nodes[node] {
                    Node::Match => {
                        best = Some(at);
                        false
                    }
                    Node::Any => at < text.len(),
                    Node::Byte(one) => text.get(at) == Some(one),
                    Node::Class(ranges, negated) => text.get(at).map_or(false, |one| {
                        ranges.iter().any(|(from, to)| from <= one && one <= to) != *negated
                    }),
                    Node::Split(..) => unreachable!(),
                };
                if taken {
                    self.follow(&mut next, &mut seen, node + 1);
                }
            }
            if next.is_empty() {
                break;
            }
            now = next;
        }
        best
    }
}

#[no_mangle]
pub extern "C" fn run() -> i32 {
    let patterns = [
        "(a|b)*abb", "[a-z]+@[a-z]+(.com|.org)", "x?y?z?[^ ]*", "(ab|a)(bc|c)?", "[0-9]+(.[0-9]+)?",
        "((a?b)*c)+d", "(un", "[abc", "a**b)",
    ];
    let mut text = String::new();
    for i in 0..12 {
        text.push_str(["aababb ", "user@host.org ", "xyz42 ", "abcd 3.1415 ", "bcabcd "][i % 5]);
    }
    let mut sum = 17u32;
    for pattern in patterns {
        match Program::compile(pattern) {
            Ok(program) => {
                for from in 0..text.len() {
                    let found = program.longest(&text.as_bytes()[from..]).map_or(7, |n| n as u32 + 11);
                    sum = sum.wrapping_mul(31).wrapping_add(found);
                }
            }
            Err(message) => sum = message.bytes().fold(sum, |s, b| s.wrapping_mul(33) ^ b as u32),
        }
    }
    sum as i32
}
