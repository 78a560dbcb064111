package palyra.testing.wasm.suite;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.Number;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.shared.wasm.Admitted;
import palyra.shared.wasm.FunctionImport;
import palyra.testing.wasm.suite.SuiteScript.Command;
import palyra.testing.wasm.suite.SuiteScript.Value;

/**
 * Runs scripts on one engine. A module that admission refuses takes the commands that act on it
 * with it: they are counted by the code of the reason. Not thread-safe.
 */
final class SuiteRun {
    private static final String IMPORTS = "import_not_granted";
    private static final long FUEL = 1L << 40;
    private static final long MOST_MILLIS = 60_000;

    /** The suite grows a memory to some 800. */
    private static final int MOST_PAGES = 1_000;

    /**
     * Assertions of binaryen's older copy that later versions of the suite do not have: several
     * results, and {@code br_table} to labels of different types after unreachable code, are valid
     * since WebAssembly 2.0; and one that wants 10,000 pages.
     */
    private static final Set<String> SUPERSEDED =
            Set.of(
                    "func.wast:493",
                    "func.wast:497",
                    "type.wast:53",
                    "type.wast:57",
                    "unreached-invalid.wast:539",
                    "resizing.wast:45");

    /** What the suite's modules import of a host; floats and all, printing nothing. */
    private static final WasmHost HOST =
            new WasmHost(
                    List.of(
                            printer("print"),
                            printer("print_i32", Number.I32),
                            printer("print_i64", Number.I64),
                            printer("print_f32", Number.F32),
                            printer("print_f64", Number.F64),
                            printer("print_i32_f32", Number.I32, Number.F32),
                            printer("print_f64_f64", Number.F64, Number.F64)));

    private static final AdmissionRules RULES =
            new AdmissionRules(
                    AdmissionLimits.DEFAULTS.withMemoryPages(MOST_PAGES),
                    HOST.functions().stream().map(FunctionImport::of).toList(),
                    List.of(),
                    false);

    /** Makes a call and waits for its result. */
    interface Caller {
        WasmResult run(WasmCall call, WasmHost host) throws InterruptedException;
    }

    /** A module and the commands that act on its instance; equal to itself only. */
    private static final class Instance {
        private final byte[] bytes;
        private final List<Command> commands = new ArrayList<>();

        Instance(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    private final Caller caller;
    private final List<String> failures = new ArrayList<>();
    private final Map<String, Integer> passed = new TreeMap<>();
    private final Map<String, Integer> notSupported = new TreeMap<>();
    private int calls;

    SuiteRun(Caller caller) {
        this.caller = caller;
    }

    private static WasmFunction printer(String name, Number... parameters) {
        return new WasmFunction(
                "spectest", name, List.of(parameters), List.of(), (memory, arguments) -> 0);
    }

    /** Returns what was not as the script says: script, line and what was found. */
    List<String> failures() {
        return failures;
    }

    /** Returns how many commands were as the script says, by their type. */
    Map<String, Integer> passed() {
        return passed;
    }

    /** Returns how many commands could not be run, by the code of the reason. */
    Map<String, Integer> notSupported() {
        return notSupported;
    }

    void run(SuiteScript script) throws IOException, InterruptedException {
        Map<String, Instance> named = new LinkedHashMap<>();
        List<Instance> all = new ArrayList<>();
        Instance last = new Instance(new byte[0]);
        Set<Instance> registered = new HashSet<>();
        boolean changed = false; // a module that was refused may have changed what others export
        for (Command each : script.commands()) {
            switch (each.type()) {
                case "module" -> {
                    last = new Instance(script.bytes(each));
                    all.add(last);
                    named.put(each.module(), last);
                    changed |= imports(last.bytes);
                }
                case "assert_return", "action", "assert_trap", "assert_exhaustion" -> {
                    Instance of = each.module().isEmpty() ? last : named.get(each.module());
                    if (changed && registered.contains(of)) {
                        skip(IMPORTS);
                    } else {
                        of.commands.add(each);
                    }
                }
                case "assert_invalid", "assert_malformed" -> refuse(script, each);
                case "assert_uninstantiable", "assert_unlinkable" -> {
                    start(script, each);
                    changed |= imports(script.bytes(each));
                }
                case "register" -> {
                    skip(IMPORTS);
                    registered.add(each.module().isEmpty() ? last : named.get(each.module()));
                }
                default -> failures.add(script.name() + ":" + each.line() + " " + each.type());
            }
        }
        for (Instance each : all) {
            run(script, each);
        }
    }

    /** Returns whether a module wants something that another one may export. */
    private static boolean imports(byte[] module) {
        return Admission.admit(module, RULES).reasons().stream()
                .anyMatch(each -> each.code().startsWith("import_"));
    }

    private void pass(Command command) {
        passed.merge(command.type(), 1, Integer::sum);
    }

    private void skip(String code) {
        notSupported.merge(code, 1, Integer::sum);
    }

    private void fail(SuiteScript script, Command command, String found) {
        String place = script.name() + ":" + command.line();
        if (SUPERSEDED.contains(place)) {
            skip("superseded");
            return;
        }
        failures.add(
                place
                        + " "
                        + command.type()
                        + " "
                        + command.field()
                        + " expected "
                        + command.expected()
                        + ", found "
                        + found);
    }

    private void refuse(SuiteScript script, Command command) throws IOException {
        if (command.text()) {
            skip("text_format");
            return;
        }
        Admitted admitted = Admission.admit(script.bytes(command), RULES);
        if (admitted.ok()) {
            fail(script, command, "it was admitted");
        } else {
            pass(command);
        }
    }

    /** A module that cannot be linked is refused; one whose start fails traps. */
    private void start(SuiteScript script, Command command)
            throws IOException, InterruptedException {
        Admitted admitted = Admission.admit(script.bytes(command), RULES);
        if (!admitted.ok()) {
            skip(admitted.reasons().get(0).code());
            return;
        }
        CheckedModule checked = new CheckedModule(script.bytes(command), List.of());
        WasmResult result = call(admit(checked), List.of(CheckedModule.DIFFERENT));
        if (result.ending() == WasmEnding.TRAPPED) {
            pass(command);
        } else {
            fail(script, command, result.toString());
        }
    }

    private void run(SuiteScript script, Instance instance) throws InterruptedException {
        Admitted admitted = Admission.admit(instance.bytes, RULES);
        if (!admitted.ok()) {
            String code = admitted.reasons().get(0).code();
            if (!code.matches("(feature|limit|import)_.*|(memory|table)_too_large")) {
                failures.add(script.name() + ": a valid module was refused: " + admitted.reasons());
            }
            skip(code);
            instance.commands.forEach(each -> skip(code));
            return;
        }
        List<Command> commands = new ArrayList<>();
        for (Command each : instance.commands) {
            if (each.arguments().stream().allMatch(Value::number)
                    && each.expected().stream().allMatch(Value::number)) {
                commands.add(each);
            } else {
                skip("feature_reference_types");
            }
        }
        CheckedModule checked = new CheckedModule(instance.bytes, commands);
        WasmModule module = admit(checked);
        passed.merge("module", 1, Integer::sum);
        for (CheckedModule.Course course : checked.courses()) {
            if (course.command() == null) {
                returning(script, commands, module, course.exports());
            } else {
                trapping(script, course.command(), module, course.exports());
            }
        }
    }

    private static WasmModule admit(CheckedModule checked) {
        Admitted admitted = Admission.admit(checked.bytes(), RULES);
        return admitted.module()
                .orElseThrow(() -> new IllegalStateException(admitted.reasons().toString()));
    }

    private void returning(
            SuiteScript script, List<Command> commands, WasmModule module, List<String> exports)
            throws InterruptedException {
        WasmResult result = call(module, with(exports, CheckedModule.DIFFERENT));
        List<Command> returning =
                commands.stream().filter(each -> !each.type().matches(".*(trap|exh).*")).toList();
        if (result.ending() != WasmEnding.RETURNED) {
            fail(script, returning.get(0), "a command from here on ended " + result);
        } else if (result.value() != 0) {
            WasmResult found = call(module, with(exports, CheckedModule.FOUND));
            Command first = commands.get((int) result.value() - 1);
            fail(script, first, Long.toUnsignedString(found.value()));
        } else {
            returning.forEach(this::pass);
        }
    }

    private void trapping(
            SuiteScript script, Command command, WasmModule module, List<String> exports)
            throws InterruptedException {
        WasmResult result = call(module, exports);
        boolean exhausted =
                result.ending() == WasmEnding.CALL_DEPTH
                        || result.ending() == WasmEnding.OUT_OF_FUEL;
        if (command.type().equals("assert_trap")
                ? result.ending() == WasmEnding.TRAPPED
                : exhausted) {
            pass(command);
        } else {
            fail(script, command, result.toString());
        }
    }

    private static List<String> with(List<String> exports, String last) {
        List<String> all = new ArrayList<>(exports);
        all.add(last);
        return all;
    }

    private WasmResult call(WasmModule module, List<String> exports) throws InterruptedException {
        calls++;
        return caller.run(new WasmCall("suite-" + calls, module, exports, FUEL, MOST_MILLIS), HOST);
    }
}
