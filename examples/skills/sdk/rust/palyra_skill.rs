//! Palyra skill SDK for Rust: the skill ABI, version 1, and a small JSON reader and writer.
//!
//! One file, no crates; Rust 1.63 or later, target `wasm32-unknown-unknown`. Put it beside your
//! `lib.rs`. A skill exports a function of type `() -> i32` for each tool:
//!
//! ```ignore
//! mod palyra_skill;
//! use palyra_skill::{run, Failure, Json};
//!
//! #[no_mangle]
//! pub extern "C" fn palyra_call() -> i32 {
//!     run(|input| {
//!         let name = input.get("name").as_text().unwrap_or("world");
//!         Ok(Json::object().with("greeting", Json::text(name)))
//!     })
//! }
//! ```
//!
//! Errors are values: a capability that was not granted, a host that did not answer, both come back
//! as `Err(Failure)`, and `?` passes them on to the caller of the tool. A panic is logged and traps.
//! Only functions that you call become imports of your module.
#![allow(dead_code)]

/// The imports, one for one as the ABI names them.
mod host {
    #[link(wasm_import_module = "palyra")]
    extern "C" {
        pub fn buffer_len(handle: i32) -> i32;
        pub fn buffer_read(handle: i32, offset: i32, ptr: *mut u8, len: i32) -> i32;
        pub fn buffer_close(handle: i32) -> i32;
        pub fn output_write(ptr: *const u8, len: i32) -> i32;
        pub fn log(level: i32, ptr: *const u8, len: i32);
        pub fn now() -> i64;
        pub fn random(ptr: *mut u8, len: i32) -> i32;
        pub fn host_capability_http_request(ptr: *const u8, len: i32) -> i32;
        pub fn host_capability_secret_open(ptr: *const u8, len: i32) -> i32;
        pub fn host_capability_secret_value(ptr: *const u8, len: i32) -> i32;
        pub fn host_capability_storage_get(ptr: *const u8, len: i32) -> i32;
        pub fn host_capability_storage_put(ptr: *const u8, len: i32) -> i32;
        pub fn host_capability_storage_delete(ptr: *const u8, len: i32) -> i32;
        pub fn host_capability_storage_list(ptr: *const u8, len: i32) -> i32;
        pub fn host_capability_channel_send(ptr: *const u8, len: i32) -> i32;
        pub fn host_capability_channel_edit(ptr: *const u8, len: i32) -> i32;
        pub fn host_capability_channel_react(ptr: *const u8, len: i32) -> i32;
        pub fn host_capability_channel_read(ptr: *const u8, len: i32) -> i32;
    }
}

/// What went wrong: the tool's own reason, or what a capability answered.
#[derive(Debug, Clone)]
pub struct Failure {
    /// `denied`, `invalid`, `not_found`, `limit`, `unavailable`, `timeout`, `conflict`, or your own.
    pub code: String,
    /// A sentence for the model and the operator.
    pub message: String,
    /// The grant that is missing when the code is `denied`; else empty.
    pub grant: String,
}

impl Failure {
    pub fn new(code: &str, message: &str) -> Failure {
        Failure { code: code.into(), message: message.into(), grant: String::new() }
    }

    fn to_json(&self) -> Json {
        let mut error =
            Json::object().with("code", Json::text(&self.code)).with("message", Json::text(&self.message));
        if !self.grant.is_empty() {
            error = error.with("grant", Json::text(&self.grant));
        }
        Json::object().with("error", error)
    }
}

/// Runs a tool: reads the input, writes what it returns, and makes the result of the export.
pub fn run(tool: impl FnOnce(Json) -> Result<Json, Failure>) -> i32 {
    std::panic::set_hook(Box::new(|panic| log(Level::Error, &panic.to_string())));
    let (code, output) = match tool(input()) {
        Ok(value) => (0, value),
        Err(failure) => (1, failure.to_json()),
    };
    let text = output.to_string();
    if unsafe { host::output_write(text.as_ptr(), text.len() as i32) } != 0 {
        return 2;
    }
    code
}

/// Returns the input; the host has checked it against the tool's input schema.
pub fn input() -> Json {
    Json::parse(&read_buffer(0)).unwrap_or(Json::Null)
}

/// Returns what the host says about this call: `abi`, `skill`, `version`, `tool`, `call`, `attempt`.
pub fn context() -> Json {
    Json::parse(&read_buffer(1)).unwrap_or(Json::Null)
}

pub enum Level {
    Debug = 0,
    Info = 1,
    Warn = 2,
    Error = 3,
}

/// Writes a line for the operator; the model never sees it. At most 64 lines of 1 KiB per call.
pub fn log(level: Level, text: &str) {
    unsafe { host::log(level as i32, text.as_ptr(), text.len() as i32) }
}

/// Returns the time in milliseconds since 1970.
pub fn now_millis() -> i64 {
    unsafe { host::now() }
}

/// Fills a slice of at most 65,536 bytes with random bytes of cryptographic quality.
pub fn random(bytes: &mut [u8]) -> Result<(), Failure> {
    if unsafe { host::random(bytes.as_mut_ptr(), bytes.len() as i32) } == 0 {
        return Ok(());
    }
    Err(Failure::new("limit", "at most 65536 random bytes at once"))
}

// ---- capabilities ----

/// A request for [`http`].
pub struct HttpRequest {
    json: Json,
    headers: Json,
    secrets: Json,
}

impl HttpRequest {
    pub fn new(method: &str, url: &str) -> HttpRequest {
        let json = Json::object().with("method", Json::text(method)).with("url", Json::text(url));
        HttpRequest { json, headers: Json::object(), secrets: Json::object() }
    }

    pub fn header(mut self, name: &str, value: &str) -> HttpRequest {
        self.headers = self.headers.with(name, Json::text(value));
        self
    }

    /// Has the host put a secret into a header; the secret itself never enters the module.
    /// `handle` comes from [`open_secret`]; `prefix` goes before it, such as `Bearer `.
    pub fn secret_header(mut self, name: &str, handle: i64, prefix: &str) -> HttpRequest {
        let value =
            Json::object().with("secret", Json::integer(handle)).with("prefix", Json::text(prefix));
        self.secrets = self.secrets.with(name, value);
        self
    }

    pub fn body(mut self, text: &str) -> HttpRequest {
        self.json = self.json.with("body", Json::text(text));
        self
    }

    pub fn timeout_millis(mut self, millis: i64) -> HttpRequest {
        self.json = self.json.with("timeout_ms", Json::integer(millis));
        self
    }
}

/// Sends a request. The answer has `status`, `headers` and `body` or `body_base64`.
pub fn http(request: HttpRequest) -> Result<Json, Failure> {
    let json = request.json.with("headers", request.headers).with("secret_headers", request.secrets);
    ask(host::host_capability_http_request, json)
}

/// Opens a secret and returns its handle for [`HttpRequest::secret_header`].
pub fn open_secret(scope: &str, key: &str) -> Result<i64, Failure> {
    let request = Json::object().with("scope", Json::text(scope)).with("key", Json::text(key));
    let answer = ask(host::host_capability_secret_open, request)?;
    Ok(answer.get("handle").as_integer().unwrap_or(-1))
}

/// Reads a secret; only where the manifest asks for the value.
pub fn secret_value(handle: i64) -> Result<String, Failure> {
    let request = Json::object().with("handle", Json::integer(handle));
    let answer = ask(host::host_capability_secret_value, request)?;
    Ok(answer.get("value").as_text().unwrap_or("").into())
}

/// Reads a stored value. The answer has `value` or `value_base64`, and `version`.
/// A key that is not there is the failure `not_found`.
pub fn storage_get(key: &str) -> Result<Json, Failure> {
    ask(host::host_capability_storage_get, Json::object().with("key", Json::text(key)))
}

/// Stores a value and returns its version. With `if_version` only when that version is there now (0:
/// when nothing is there); otherwise the failure is `conflict`.
pub fn storage_put(key: &str, value: &str, if_version: Option<i64>) -> Result<i64, Failure> {
    let mut request = Json::object().with("key", Json::text(key)).with("value", Json::text(value));
    if let Some(version) = if_version {
        request = request.with("if_version", Json::integer(version));
    }
    let answer = ask(host::host_capability_storage_put, request)?;
    Ok(answer.get("version").as_integer().unwrap_or(0))
}

/// Removes a stored value. The answer has `deleted`: whether there was one.
pub fn storage_delete(key: &str) -> Result<Json, Failure> {
    ask(host::host_capability_storage_delete, Json::object().with("key", Json::text(key)))
}

/// Lists keys after `after` (empty: from the first). The answer has `keys` and `more`.
pub fn storage_list(prefix: &str, after: &str) -> Result<Json, Failure> {
    let mut request = Json::object().with("prefix", Json::text(prefix));
    if !after.is_empty() {
        request = request.with("after", Json::text(after));
    }
    ask(host::host_capability_storage_list, request)
}

/// Sends a message and returns its id in the outbox; it is durable when this returns. A key in
/// `dedupe` makes a repeated send of this call one message; empty for none.
pub fn send_to_channel(channel: &str, text: &str, dedupe: &str) -> Result<String, Failure> {
    let mut request =
        Json::object().with("channel", Json::text(channel)).with("text", Json::text(text));
    if !dedupe.is_empty() {
        request = request.with("dedupe", Json::text(dedupe));
    }
    let answer = ask(host::host_capability_channel_send, request)?;
    Ok(answer.get("outbox_id").as_text().unwrap_or("").into())
}

/// Changes a message that this skill sent and returns the id of the change; `dedupe` is as for
/// [`send_to_channel`].
pub fn edit_in_channel(outbox_id: &str, text: &str, dedupe: &str) -> Result<String, Failure> {
    let mut request =
        Json::object().with("outbox_id", Json::text(outbox_id)).with("text", Json::text(text));
    if !dedupe.is_empty() {
        request = request.with("dedupe", Json::text(dedupe));
    }
    let answer = ask(host::host_capability_channel_edit, request)?;
    Ok(answer.get("outbox_id").as_text().unwrap_or("").into())
}

/// Reacts to a message and returns the reaction's id in the outbox. `message` is the platform's id,
/// as [`read_channel`] gives it; empty for the one that the run answers.
pub fn react_in_channel(channel: &str, reaction: &str, message: &str) -> Result<String, Failure> {
    let mut request =
        Json::object().with("channel", Json::text(channel)).with("reaction", Json::text(reaction));
    if !message.is_empty() {
        request = request.with("message", Json::text(message));
    }
    let answer = ask(host::host_capability_channel_react, request)?;
    Ok(answer.get("outbox_id").as_text().unwrap_or("").into())
}

/// Reads the last messages of a conversation (empty: the one in which the run was asked for). The
/// answer has `messages`, oldest first, and `more`. `limit` is the most messages; 0 for the usual.
pub fn read_channel(channel: &str, conversation: &str, limit: i64) -> Result<Json, Failure> {
    let mut request = Json::object().with("channel", Json::text(channel));
    if !conversation.is_empty() {
        request = request.with("conversation", Json::text(conversation));
    }
    if limit > 0 {
        request = request.with("limit", Json::integer(limit));
    }
    ask(host::host_capability_channel_read, request)
}

#[inline(always)] // so that a capability that is not called is not imported
fn ask(import: unsafe extern "C" fn(*const u8, i32) -> i32, request: Json) -> Result<Json, Failure> {
    let text = request.to_string();
    let handle = unsafe { import(text.as_ptr(), text.len() as i32) };
    answer(handle)
}

fn answer(handle: i32) -> Result<Json, Failure> {
    let read = Json::parse(&read_buffer(handle));
    unsafe { host::buffer_close(handle) };
    let json = read.ok_or_else(|| Failure::new("invalid", "the host did not answer with JSON"))?;
    if json.get("error") == &Json::Null {
        return Ok(json);
    }
    let error = json.get("error");
    let part = |name: &str| error.get(name).as_text().unwrap_or("").to_string();
    Err(Failure { code: part("code"), message: part("message"), grant: part("grant") })
}

fn read_buffer(handle: i32) -> String {
    let len = unsafe { host::buffer_len(handle) }.max(0) as usize;
    let mut bytes = vec![0u8; len];
    let mut done = 0;
    while done < len {
        let to = bytes[done..].as_mut_ptr();
        let copied = unsafe { host::buffer_read(handle, done as i32, to, (len - done) as i32) };
        if copied <= 0 {
            break;
        }
        done += copied as usize;
    }
    bytes.truncate(done);
    String::from_utf8(bytes).unwrap_or_default()
}

// ---- JSON ----

/// A JSON value. Numbers keep their digits as written.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

static NULL: Json = Json::Null;

impl Json {
    /// Reads strict JSON (RFC 8259) of at most 64 levels; None when it is not.
    pub fn parse(text: &str) -> Option<Json> {
        let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
        let value = reader.value(0)?;
        reader.blanks();
        if reader.at == text.len() {
            Some(value)
        } else {
            None
        }
    }

    pub fn object() -> Json {
        Json::Object(Vec::new())
    }

    pub fn text(value: &str) -> Json {
        Json::Text(value.into())
    }

    pub fn integer(value: i64) -> Json {
        Json::Number(value.to_string())
    }

    /// A number; null when it is not finite.
    pub fn number(value: f64) -> Json {
        if value.is_finite() {
            Json::Number(value.to_string())
        } else {
            Json::Null
        }
    }

    /// Returns the object with one more member; one of that name is replaced.
    pub fn with(mut self, name: &str, value: Json) -> Json {
        if let Json::Object(members) = &mut self {
            match members.iter_mut().find(|(known, _)| known == name) {
                Some(found) => found.1 = value,
                None => members.push((name.into(), value)),
            }
        }
        self
    }

    /// Returns a member; null when it is not there.
    pub fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(members) => {
                members.iter().find(|(known, _)| known == name).map_or(&NULL, |(_, value)| value)
            }
            _ => &NULL,
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns a whole number that was written without fraction and exponent.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Json::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Json::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_list(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => &[],
        }
    }

    fn write(&self, to: &mut String) {
        match self {
            Json::Null => to.push_str("null"),
            Json::Bool(value) => to.push_str(if *value { "true" } else { "false" }),
            Json::Number(digits) => to.push_str(digits),
            Json::Text(text) => quote(text, to),
            Json::List(items) => {
                to.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        to.push(',');
                    }
                    item.write(to);
                }
                to.push(']');
            }
            Json::Object(members) => {
                to.push('{');
                for (i, (name, value)) in members.iter().enumerate() {
                    if i > 0 {
                        to.push(',');
                    }
                    quote(name, to);
                    to.push(':');
                    value.write(to);
                }
                to.push('}');
            }
        }
    }

    /// Returns it as JSON text.
    #[allow(clippy::inherent_to_string)] // Display would bring the whole of formatting along
    pub fn to_string(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }
}

fn quote(text: &str, to: &mut String) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    to.push('"');
    for one in text.chars() {
        match one {
            '"' => to.push_str("\\\""),
            '\\' => to.push_str("\\\\"),
            '\n' => to.push_str("\\n"),
            '\r' => to.push_str("\\r"),
            '\t' => to.push_str("\\t"),
            _ if (one as u32) < 0x20 => {
                to.push_str("\\u00");
                to.push(HEX[one as usize >> 4] as char);
                to.push(HEX[one as usize & 15] as char);
            }
            _ => to.push(one),
        }
    }
    to.push('"');
}

const MAX_DEPTH: u32 = 64;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> u8 {
        *self.bytes.get(self.at).unwrap_or(&0)
    }

    fn take(&mut self, one: u8) -> bool {
        let found = self.at < self.bytes.len() && self.peek() == one;
        self.at += found as usize;
        found
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Option<Json> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Some(value);
        }
        None
    }

    fn value(&mut self, depth: u32) -> Option<Json> {
        self.blanks();
        match self.peek() {
            b'{' if depth < MAX_DEPTH => self.object(depth),
            b'[' if depth < MAX_DEPTH => self.list(depth),
            b'"' => self.text().map(Json::Text),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: u32) -> Option<Json> {
        let mut members: Vec<(String, Json)> = Vec::new();
        self.at += 1;
        self.blanks();
        if self.take(b'}') {
            return Some(Json::Object(members));
        }
        loop {
            self.blanks();
            let name = self.text()?;
            self.blanks();
            if !self.take(b':') {
                return None;
            }
            let value = self.value(depth + 1)?;
            members.push((name, value));
            self.blanks();
            if self.take(b'}') {
                return Some(Json::Object(members));
            }
            if !self.take(b',') {
                return None;
            }
        }
    }

    fn list(&mut self, depth: u32) -> Option<Json> {
        let mut items = Vec::new();
        self.at += 1;
        self.blanks();
        if self.take(b']') {
            return Some(Json::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blanks();
            if self.take(b']') {
                return Some(Json::List(items));
            }
            if !self.take(b',') {
                return None;
            }
        }
    }

    fn text(&mut self) -> Option<String> {
        if !self.take(b'"') {
            return None;
        }
        let mut made = Vec::new();
        loop {
            let one = *self.bytes.get(self.at)?;
            self.at += 1;
            match one {
                b'"' => return String::from_utf8(made).ok(),
                b'\\' => {
                    let escaped = self.escaped()?;
                    made.extend_from_slice(escaped.encode_utf8(&mut [0; 4]).as_bytes());
                }
                0..=0x1f => return None,
                _ => made.push(one),
            }
        }
    }

    /// Reads what follows a backslash; half a surrogate pair becomes U+FFFD.
    fn escaped(&mut self) -> Option<char> {
        let one = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(match one {
            b'"' | b'\\' | b'/' => one as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.hex()?;
                let mut point = unit;
                if (0xd800..0xdc00).contains(&unit) && self.bytes[self.at..].starts_with(b"\\u") {
                    let back = self.at;
                    self.at += 2;
                    let low = self.hex()?;
                    if (0xdc00..0xe000).contains(&low) {
                        point = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                    } else {
                        self.at = back;
                    }
                }
                char::from_u32(point).unwrap_or('\u{fffd}')
            }
            _ => return None,
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let mut value = 0;
        for _ in 0..4 {
            value = value << 4 | (self.peek() as char).to_digit(16)?;
            self.at += 1;
        }
        Some(value)
    }

    fn number(&mut self) -> Option<Json> {
        let from = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        let digits = std::str::from_utf8(&self.bytes[from..self.at]).ok()?;
        Some(Json::Number(digits.into()))
    }

    fn digits(&mut self) -> Option<()> {
        let from = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        if self.at > from {
            Some(())
        } else {
            None
        }
    }
}
