package palyra.policy.internal.set;

import java.nio.file.Path;
import java.util.Optional;
import palyra.api.core.policy.PolicyReport;

/**
 * A gateway's policy part in a JVM of its own, which ends when its heap does, as the product's.
 * Runs out of the way of the heap of the tests; what it prints is what became of the folder.
 */
final class LargeSetChild {
    private static final String SMALL =
            """
            @id("p%1$d")
            permit (principal == User::"user%1$d", action == Action::"doc.view", resource)
            when { resource has owner && resource.owner == "owner-%1$d" && principal.id like "u*" };
            // %2$s
            """;

    private LargeSetChild() {}

    /**
     * @param arguments the folder of the stage; then a shape and how many policies, or nothing
     *     after which the folder is only started
     */
    public static void main(String[] arguments) throws Exception {
        try (Stage stage = Stage.at(Path.of(arguments[0]))) {
            stage.start();
            stage.untilInForce();
            if (arguments.length == 1) {
                // Its turn comes after the start has judged the files.
                stage.sets.check(Optional.empty());
                print(stage, "restart");
                return;
            }
            write(stage, arguments[1], Integer.parseInt(arguments[2]));
            // The watcher may have met some of the files; this one meets them all.
            stage.sets.reload(Stage.permit("policy.reload"), "");
            print(stage, "load");
            PolicyReport report = stage.sets.check(Optional.empty());
            System.out.println("validate: " + report.outcome() + " " + report.summary());
        }
    }

    private static void print(Stage stage, String what) {
        System.out.println(
                what
                        + ": "
                        + stage.names().size()
                        + " policies in force; refused: "
                        + stage.sets.status().refused().map(PolicyReport::summary).orElse("no"));
    }

    /** Writes files of less than half a megabyte. */
    private static void write(Stage stage, String shape, int policies) {
        StringBuilder text = new StringBuilder();
        int file = 0;
        for (int i = 0; i < policies; i++) {
            text.append(policy(shape, i));
            if (text.length() > 350_000 || i == policies - 1) {
                stage.save("f" + file++ + ".cedar", text.toString());
                text.setLength(0);
            }
        }
    }

    private static String policy(String shape, int number) {
        String begin = "permit(principal,action,resource)when{";
        return switch (shape) {
            case "small" -> SMALL.formatted(number, "x".repeat(205));
            case "dense" -> begin + "!(1>2)&&1<2&&".repeat(120) + "true};";
            case "patterns" -> begin + "principal.id like \"" + "x".repeat(19_000) + "\"};";
            case "invalid" -> begin + "principal.none==1};\n";
            default -> throw new IllegalArgumentException(shape);
        };
    }
}
