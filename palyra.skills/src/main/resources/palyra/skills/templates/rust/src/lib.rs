//! Tool `@ID@.greet`. A tool is an exported function that gets its input and returns its output or a
//! failure. `palyra_skill.rs` says what else there is: storage, HTTP, secrets, channels, a log.

mod palyra_skill;

use palyra_skill::{run, Failure, Json};

#[no_mangle]
pub extern "C" fn palyra_call() -> i32 {
    run(greet)
}

fn greet(input: Json) -> Result<Json, Failure> {
    let name = input.get("name").as_text().unwrap_or("");
    if name.is_empty() {
        return Err(Failure::new("invalid", "name is missing or empty"));
    }
    let greeting = ["Hello, ", name, "!"].concat();
    Ok(Json::object().with("greeting", Json::text(&greeting)))
}
