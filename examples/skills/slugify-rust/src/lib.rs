//! Tool `palyra-examples.slugify`: makes the part of an address that names a text, such as
//! `creme-brulee` of "Crème brûlée!", and keeps names apart when it is asked to.

#[path = "../../sdk/rust/palyra_skill.rs"]
mod palyra_skill;

use palyra_skill::{run, storage_put, Failure, Json};

const DEFAULT_LENGTH: i64 = 80;
const MOST_LENGTH: i64 = 200;
const TRIES: u32 = 100;

/// The manifest grants the prefix `slugs/`.
const PREFIX: &str = "slugs/";

#[no_mangle]
pub extern "C" fn palyra_call() -> i32 {
    run(slugify)
}

fn slugify(input: Json) -> Result<Json, Failure> {
    let text = input.get("text").as_text().ok_or_else(|| Failure::new("invalid", "text is missing"))?;
    let length = input.get("max_length").as_integer().unwrap_or(DEFAULT_LENGTH);
    if !(1..=MOST_LENGTH).contains(&length) {
        return Err(Failure::new("invalid", "max_length is from 1 to 200"));
    }
    let slug = cut(&plain(text), length as usize);
    if slug.is_empty() {
        return Err(Failure::new("invalid", "the text has no letters or digits"));
    }
    let unique = input.get("unique").as_bool().unwrap_or(false);
    let slug = if unique { reserve(&slug, text)? } else { slug };
    Ok(Json::object().with("slug", Json::text(&slug)).with("unique", Json::Bool(unique)))
}

/// Writes letters and digits in lower-case ASCII, with one hyphen for everything between them.
fn plain(text: &str) -> String {
    let mut slug = String::new();
    for one in text.chars().flat_map(char::to_lowercase) {
        let letters = ascii(one);
        if !letters.is_empty() {
            slug.push_str(letters);
        } else if one.is_ascii_alphanumeric() {
            slug.push(one);
        } else if !is_mark(one) && !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').into()
}

/// Combining marks and apostrophes are removed.
fn is_mark(one: char) -> bool {
    matches!(one, '\u{300}'..='\u{36f}' | '\'' | '\u{2019}')
}

/// Returns how a lower-case letter of a European language is written in ASCII; empty if unknown.
fn ascii(one: char) -> &'static str {
    match one {
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ä' | 'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        'ĵ' => "j",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ō' | 'ŏ' | 'ő' => "o",
        'ö' | 'ø' | 'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'þ' => "th",
        'ù' | 'ú' | 'û' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'ü' => "ue",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => "",
    }
}

/// Cuts at the end of a word where there is one.
fn cut(slug: &str, length: usize) -> String {
    if slug.len() <= length {
        return slug.into();
    }
    let whole = slug.as_bytes()[length] == b'-';
    let end = if whole { length } else { slug[..length].rfind('-').unwrap_or(length) };
    slug[..end].trim_end_matches('-').into()
}

/// Stores the name, or the first of name-2, name-3 … that is still free. Version 0 means "nothing
/// is stored", so two calls at the same time cannot both get one name.
fn reserve(slug: &str, text: &str) -> Result<String, Failure> {
    for number in 1..=TRIES {
        let name = if number == 1 { slug.into() } else { slug.to_string() + "-" + &number.to_string() };
        match storage_put(&(PREFIX.to_string() + &name), text, Some(0)) {
            Ok(_) => return Ok(name),
            Err(failure) if failure.code == "conflict" => continue,
            Err(failure) => return Err(failure),
        }
    }
    Err(Failure::new("limit", "a hundred names like this are taken"))
}
