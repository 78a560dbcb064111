package palyra.testing.wasm.suite;

import java.util.ArrayList;
import java.util.List;
import palyra.shared.wasm.ByteWriter;
import palyra.testing.wasm.suite.SuiteScript.Command;
import palyra.testing.wasm.suite.SuiteScript.Value;

/**
 * A module of the suite with the commands that act on it compiled in, because engines call
 * functions without arguments only. Each command becomes a function {@code () -> ()} that makes the
 * call and compares what comes back bit by bit; the first difference is kept in two globals, which
 * {@link #DIFFERENT} and {@link #FOUND} read. Commands that return follow each other in functions
 * of up to {@value #MOST_STEPS}, so that the state of the instance is what the script expects.
 */
final class CheckedModule {
    /** Export {@code () -> i64}: 1 and the position of the command that differed; 0 for none. */
    static final String DIFFERENT = "suite:different";

    /** Export {@code () -> i64}: bits of the result that differed. */
    static final String FOUND = "suite:found";

    private static final int MOST_STEPS = 500;
    private static final long CANONICAL_32 = 0x7FC0_0000L;
    private static final long CANONICAL_64 = 0x7FF8_0000_0000_0000L;

    /**
     * What to call in one instance.
     *
     * @param command the command that has to trap; null when all have to return
     * @param exports functions in order, without {@link #DIFFERENT}
     */
    record Course(Command command, List<String> exports) {}

    private final TestedModule module;
    private final List<Command> commands;
    private final List<String> returning = new ArrayList<>();
    private final List<Course> courses = new ArrayList<>();
    private final List<Integer> open = new ArrayList<>();
    private final int nothing;
    private final int different;
    private final int found;

    CheckedModule(byte[] bytes, List<Command> commands) {
        this.module = new TestedModule(bytes);
        this.commands = commands;
        this.different = module.addCounter();
        this.found = module.addCounter();
        this.nothing = module.addTypes();
        for (int at = 0; at < commands.size(); at++) {
            add(at);
        }
        close();
        reader(DIFFERENT, different);
        reader(FOUND, found);
        if (!returning.isEmpty()) {
            courses.add(0, new Course(null, List.copyOf(returning)));
        }
    }

    /** Returns the module with the checks. */
    byte[] bytes() {
        return module.build();
    }

    /** Returns what is to be called, each course in an instance of its own. */
    List<Course> courses() {
        return courses;
    }

    private void add(int at) {
        Command command = commands.get(at);
        int function = module.addFunction(nothing, body(at, command));
        if (command.type().equals("assert_return") || command.type().equals("action")) {
            open.add(function);
            if (open.size() == MOST_STEPS) {
                close();
            }
            return;
        }
        close();
        String name = "suite:trap-" + at;
        module.addExport(name, function);
        List<String> exports = new ArrayList<>(returning);
        exports.add(name);
        courses.add(new Course(command, exports));
    }

    /** Makes one function of the commands that have come since the last one. */
    private void close() {
        if (open.isEmpty()) {
            return;
        }
        ByteWriter body = new ByteWriter(4 * open.size()).u32(0);
        open.forEach(each -> body.u8(0x10).u32(each));
        String name = "suite:returns-" + returning.size();
        module.addExport(name, module.addFunction(nothing, body.u8(0x0B)));
        returning.add(name);
        open.clear();
    }

    private void reader(String name, int global) {
        ByteWriter body = new ByteWriter(8).u32(0).u8(0x23).u32(global).u8(0x0B);
        module.addExport(name, module.addFunction(nothing + 1, body));
    }

    private ByteWriter body(int at, Command command) {
        TestedModule.Export export = module.export(command.field());
        List<Integer> results;
        ByteWriter code = new ByteWriter(64);
        if (command.kind().equals("get")) {
            results = List.of(module.typeOfGlobal(export));
            code.u8(0x23).u32(export.index());
        } else {
            results = module.typeOf(export).results();
            command.arguments().forEach(each -> constant(code, each));
            code.u8(0x10).u32(export.index());
        }
        ByteWriter body = new ByteWriter(128).u32(results.size());
        results.forEach(each -> body.u32(1).u8(each));
        body.all(code);
        for (int i = results.size() - 1; i >= 0; i--) {
            body.u8(0x21).u32(i);
        }
        if (command.type().equals("assert_return")) {
            for (int i = 0; i < results.size(); i++) {
                compare(body, i, results.get(i), command.expected().get(i), at);
            }
        }
        return body.u8(0x0B);
    }

    private static void constant(ByteWriter code, Value value) {
        switch (value.type()) {
            case "i32" -> code.u8(0x41).s64((int) value.bits());
            case "i64" -> code.u8(0x42).s64(value.bits());
            case "f32" -> code.u8(0x43).fixed(value.bits(), 4);
            default -> code.u8(0x44).fixed(value.bits(), 8);
        }
    }

    /** Compares a local with what is expected, as an i64 of its bits. */
    private void compare(ByteWriter body, int local, int type, Value expected, int at) {
        boolean wide = type == 0x7E || type == 0x7C;
        long canonical = wide ? CANONICAL_64 : CANONICAL_32;
        long sign = wide ? Long.MIN_VALUE : 0x8000_0000L;
        asBits(body, local, type);
        long bits = canonical;
        switch (expected.value()) {
            case "nan:canonical" -> body.u8(0x42).s64(~sign).u8(0x83);
            case "nan:arithmetic" -> body.u8(0x42).s64(canonical).u8(0x83);
            default -> bits = expected.bits();
        }
        body.u8(0x42).s64(bits).u8(0x52); // i64.ne
        body.u8(0x23).u32(different).u8(0x50, 0x71, 0x04, 0x40); // i64.eqz, i32.and, if
        body.u8(0x42).s64(at + 1L).u8(0x24).u32(different);
        asBits(body, local, type);
        body.u8(0x24).u32(found).u8(0x0B);
    }

    private static void asBits(ByteWriter body, int local, int type) {
        body.u8(0x20).u32(local);
        switch (type) {
            case 0x7F -> body.u8(0xAD); // i64.extend_i32_u
            case 0x7D -> body.u8(0xBC, 0xAD); // i32.reinterpret_f32
            case 0x7C -> body.u8(0xBD); // i64.reinterpret_f64
            default -> { // an i64 is its bits
            }
        }
    }
}
