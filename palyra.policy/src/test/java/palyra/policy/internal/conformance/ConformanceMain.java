package palyra.policy.internal.conformance;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import palyra.lib.cedar.Cedar;

/**
 * {@code ./palyra policy conformance FOLDER|TAR}, started by {@code scripts/conformance.sh}, which
 * unpacks archives: each of them is one folder more here.
 */
public final class ConformanceMain {
    private static final String USAGE =
            "palyra: policy conformance takes one folder, .tar or .tar.gz with tests in the format"
                    + " of Cedar's integration tests";

    private static final String HELP =
            """
            palyra policy conformance FOLDER|TAR
              Runs tests in the format of Cedar's integration tests through the compiled evaluator
              and the native engine, without a gateway. TAR may be gzipped; archives in FOLDER
              count as well. Archives are unpacked into a temporary folder.
              Prints each failing case with file, request, expected and found, then
              "N passed, N failed", which counts requests. Exit codes: 0 all passed, 1 some failed,
              2 nothing usable was named.""";

    private ConformanceMain() {}

    /** Takes the folders; one blank or dashed argument, or none, is bad usage. */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        int exit;
        try {
            exit = run(List.of(args), out, err);
        } catch (RuntimeException e) {
            err.println("palyra: the run ended with a defect of Palyra: " + e);
            exit = Conformance.UNUSABLE;
        }
        out.flush();
        System.exit(exit);
    }

    private static int run(List<String> args, PrintStream out, PrintStream err) {
        if (args.size() == 1 && args.get(0).matches("-h|--help")) {
            out.println(HELP);
            return Conformance.PASSED;
        }
        if (args.isEmpty() || args.stream().anyMatch(a -> a.isBlank() || a.startsWith("-"))) {
            err.println(USAGE);
            return Conformance.UNUSABLE;
        }
        Cedar cedar = ServiceLoader.load(Cedar.class).findFirst().orElseThrow();
        return new Conformance(cedar, out, err).run(args.stream().map(Path::of).toList());
    }
}
