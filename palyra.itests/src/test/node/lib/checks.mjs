// Runs checks and prints one line of JSON for each: {group, name, ok, detail}.

/** Nothing that a check waits for takes longer on a machine that works at all. */
export const PATIENCE_MILLIS = 60_000;

/** Rejects when a promise is not settled in time. */
export async function within(millis, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${millis} ms for ${what}`)), millis);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks again and again until the answer is true. */
export async function until(what, condition) {
  const deadline = Date.now() + PATIENCE_MILLIS;
  for (;;) {
    if (await condition()) return;
    if (Date.now() > deadline) throw new Error(`waited ${PATIENCE_MILLIS} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export class Checks {
  #group = '';
  #failed = 0;

  /** Checks from here on belong to this group. */
  group(name) {
    this.#group = name;
  }

  get failed() {
    return this.#failed;
  }

  /** Runs a check; what it throws is its failure. Never throws itself. */
  check(name, action) {
    return this.play(name, () => within(3 * PATIENCE_MILLIS, name, Promise.resolve().then(action)));
  }

  /** As `check`, for what consists of checks and takes as long as they do. */
  async play(name, action) {
    try {
      await action();
      this.#report(name, true, '');
    } catch (e) {
      this.#failed++;
      this.#report(name, false, e instanceof Error ? `${e.message} ${where(e)}` : String(e));
    }
  }

  #report(name, ok, detail) {
    process.stdout.write(JSON.stringify({ group: this.#group, name, ok, detail }) + '\n');
  }
}

function where(error) {
  const line = (error.stack ?? '').split('\n').find((each) => /(scenarios|lib)\/\w+\.mjs/.test(each));
  return line ? `(${line.trim().replace(/^at /, '').replace(/file:.*\/node\//, '')})` : '';
}
