// Reads and writes JSON with the reader and writer of the skill SDK (a copy lies beside this file
// while it is built); strings, arrays, classes, the incremental garbage collector.
import { Json, Kind } from "./palyra";

function sample(depth: i32, seed: i32): Json {
  if (depth == 0) {
    switch (seed % 5) {
      case 0:
        return Json.text("t\u00e4xt \"" + seed.toString() + "\"\n\u2603");
      case 1:
        return Json.integer(seed * 977);
      case 2:
        return Json.number(<f64>seed / 8);
      case 3:
        return Json.bool(seed % 2 == 0);
      default:
        return Json.nothing();
    }
  }
  if (depth % 2 == 0) {
    const list = Json.list();
    for (let i = 0; i < 4; i++) list.push(sample(depth - 1, seed * 3 + i));
    return list;
  }
  const object = Json.object();
  for (let i = 0; i < 3; i++) object.set("key" + i.toString(), sample(depth - 1, seed * 7 + i));
  return object;
}

function sum(value: Json, start: u32): u32 {
  let total = start * 31 + value.kind;
  if (value.kind == Kind.Number) total += <u32>(<i64>(value.asNumber() * 8));
  if (value.kind == Kind.Text) total += value.asText().length;
  const keys = value.keys();
  for (let i = 0; i < value.size; i++) {
    total = sum(value.kind == Kind.Object ? value.get(keys[i]) : value.at(i), total);
  }
  return total;
}

export function run(): i32 {
  let total: u32 = 0;
  const text = sample(4, 1).toString();
  const read = Json.parse(text);
  if (read === null || read.toString() != text) return -1;
  total = sum(read, total) + text.length;
  const wrong = ['{"a":1,}', "[01]", '"\\x"', "[1 2]", '{"a" 1}', "nul", '"\n"', "1e", "[[[["];
  for (let i = 0; i < wrong.length; i++) if (Json.parse(wrong[i]) !== null) return -2;
  return <i32>total;
}
