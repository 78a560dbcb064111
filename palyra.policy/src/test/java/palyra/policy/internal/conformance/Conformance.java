package palyra.policy.internal.conformance;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarException;
import palyra.policy.internal.cedar.value.CedarFormatException;

/**
 * Runs a corpus through the compiled evaluator and the native engine. A request passes when both
 * give exactly the expected answer and its test's policies validate as they should.
 */
public final class Conformance {
    /** Every request passed. */
    public static final int PASSED = 0;

    /** At least one did not. */
    public static final int FAILED = 1;

    /** No test that can be run was named, or the native engine is not available. */
    public static final int UNUSABLE = 2;

    private static final int PROGRESS_LINES = 10;
    private static final int WORTH_PROGRESS = 200;

    private final Cedar cedar;
    private final PrintStream out;
    private final PrintStream err;
    private long passed;
    private long failed;

    /**
     * Creates a run.
     *
     * @param out takes failing cases and the result
     * @param err takes progress and what is unusable
     */
    public Conformance(Cedar cedar, PrintStream out, PrintStream err) {
        this.cedar = Objects.requireNonNull(cedar, "cedar");
        this.out = Objects.requireNonNull(out, "out");
        this.err = Objects.requireNonNull(err, "err");
    }

    /**
     * Runs all tests of the folders and returns the exit code; the last line on {@code out} says
     * how many requests passed and failed. Call it once.
     */
    public int run(List<Path> folders) {
        if (!cedar.status().available()) {
            err.println("palyra: " + cedar.status().reason());
            return UNUSABLE;
        }
        try {
            int found = 0;
            for (Path folder : folders) {
                found += run(CorpusFiles.open(folder));
            }
            if (found == 0) {
                throw new CorpusException(
                        folders.get(0)
                                + " holds no test: a test is a JSON file with policies, schema,"
                                + " entities and requests.");
            }
        } catch (CorpusException e) {
            err.println("palyra: " + e.getMessage());
            return UNUSABLE;
        }
        out.println(passed + " passed, " + failed + " failed");
        return failed == 0 ? PASSED : FAILED;
    }

    private int run(CorpusFiles files) {
        List<String> names = files.names().stream().filter(CaseFile::possible).toList();
        int found = 0;
        for (int i = 0; i < names.size(); i++) {
            var test = CaseFile.read(files, names.get(i));
            if (test.isPresent()) {
                found++;
                run(test.get());
            }
            progress(i + 1, names.size());
        }
        return found;
    }

    private void progress(int done, int all) {
        int step = Math.ceilDiv(all, PROGRESS_LINES);
        if (all >= WORTH_PROGRESS && done < all && done % step == 0) {
            err.println(
                    "palyra: "
                            + done
                            + " of "
                            + all
                            + " files, "
                            + (passed + failed)
                            + " requests, "
                            + failed
                            + " failed");
        }
    }

    private void run(CaseFile test) {
        List<String> problems = new ArrayList<>();
        try (CasePolicies policies = new CasePolicies(cedar, test)) {
            checkVerdict(test, policies, problems);
            boolean verdict = problems.isEmpty();
            for (int i = 0; i < test.requests().size(); i++) {
                boolean right = ask(test, i, policies, problems);
                count(right && verdict);
            }
        } catch (CorpusException | CedarFormatException | CedarException e) {
            problems.add(test.name() + ": every request failed: " + e.getMessage());
            test.requests().forEach(request -> count(false));
        }
        if (test.requests().isEmpty() && !problems.isEmpty()) {
            count(false);
        }
        problems.forEach(problem -> out.println("FAILED " + problem));
    }

    private void count(boolean right) {
        if (right) {
            passed++;
        } else {
            failed++;
        }
    }

    private static void checkVerdict(CaseFile test, CasePolicies policies, List<String> problems) {
        if (test.shouldValidate() != policies.validated()) {
            problems.add(
                    test.name()
                            + ", validation, and with it every request: expected that the policies "
                            + (test.shouldValidate() ? "fit" : "do not fit")
                            + " the schema; found that they "
                            + (policies.validated() ? "do" : "do not: " + policies.verdict()));
        }
    }

    private static boolean ask(
            CaseFile test, int index, CasePolicies policies, List<String> problems) {
        CaseFile.Ask ask = test.requests().get(index);
        Answer compiled = policies.compiled(ask);
        Answer natively = policies.natively(ask);
        if (compiled.equals(ask.expected()) && natively.equals(ask.expected())) {
            return true;
        }
        String found =
                compiled.equals(natively)
                        ? compiled + " from both engines"
                        : compiled
                                + " from the compiled evaluator, "
                                + natively
                                + " from the native engine";
        problems.add(
                test.name()
                        + ", request "
                        + (index + 1)
                        + (ask.description().isEmpty() ? "" : " (" + ask.description() + ")")
                        + ": expected "
                        + ask.expected()
                        + "; found "
                        + found);
        return false;
    }
}
