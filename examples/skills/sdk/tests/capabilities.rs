//! Calls everything that the SDK offers once, and returns what came of it. See run.sh.

#[path = "../rust/palyra_skill.rs"]
mod palyra_skill;

use palyra_skill::*;

fn code<T>(answer: Result<T, Failure>) -> Json {
    Json::text(&answer.err().map_or(String::new(), |failure| failure.code))
}

#[no_mangle]
pub extern "C" fn palyra_call() -> i32 {
    run(|input| {
        let mut bytes = [0u8; 32];
        random(&mut bytes)?;
        log(Level::Info, "a line");
        let handle = open_secret("skill", "api_token")?;
        let url = input.get("url").as_text().unwrap_or("https://api.example.com/things");
        let request = HttpRequest::new("POST", url)
            .header("x-test", "1")
            .secret_header("Authorization", handle, "Bearer ")
            .body("{}")
            .timeout_millis(1000);
        let response = http(request)?;
        let out = Json::object()
            .with("tool", context().get("tool").clone())
            .with("text", input.get("text").clone())
            .with("clock", Json::Bool(now_millis() > 1600000000000))
            .with("random", Json::Bool(bytes.iter().any(|b| *b != 0)))
            .with("status", response.get("status").clone())
            .with("body", response.get("body").clone())
            .with("secret", Json::text(&secret_value(handle)?))
            .with("denied", code(open_secret("skill", "other")))
            .with("unavailable", code(http(HttpRequest::new("GET", "https://nowhere.example.com/"))));
        storage(out)
    })
}

fn storage(out: Json) -> Result<Json, Failure> {
    let out = out
        .with("version", Json::integer(storage_put("notes/a", "välue \"1\"", Some(0))?))
        .with("conflict", code(storage_put("notes/a", "2", Some(0))))
        .with("again", Json::integer(storage_put("notes/a", "2", None)?))
        .with("value", storage_get("notes/a")?.get("value").clone())
        .with("keys", Json::integer(storage_list("notes/", "")?.get("keys").as_list().len() as i64))
        .with("after", Json::integer(storage_list("notes/", "notes/a")?.get("keys").as_list().len() as i64))
        .with("deleted", storage_delete("notes/a")?.get("deleted").clone())
        .with("gone", code(storage_get("notes/a")));
    channel(out)
}

fn channel(out: Json) -> Result<Json, Failure> {
    let sent = send_to_channel("discord:main", "hi ☃", "once")?;
    let edited = edit_in_channel(&sent, "hi", "")?;
    let reacted = react_in_channel("discord:main", "👍", "")?;
    let read = read_channel("discord:main", "", 2)?;
    Ok(out
        .with("outbox", Json::text(&sent))
        .with("edited", Json::text(&edited))
        .with("reacted", Json::text(&reacted))
        .with("read", Json::integer(read.get("messages").as_list().len() as i64)))
}

/// Reads the text of the input as JSON and returns it as it is written, or null.
#[no_mangle]
pub extern "C" fn reread() -> i32 {
    run(|input| Ok(Json::parse(input.get("text").as_text().unwrap_or("")).unwrap_or(Json::Null)))
}

/// Panics; the sentence must be in the log.
#[no_mangle]
pub extern "C" fn panics() -> i32 {
    run(|_| panic!("on purpose"))
}
