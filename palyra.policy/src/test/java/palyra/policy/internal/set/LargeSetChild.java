package palyra.policy.internal.set;

import java.io.IOException;
import java.nio.file.Files;
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
                stage.until(
                        "the files to be judged",
                        () ->
                                stage.sets.status().refused().isPresent()
                                        || stage.names().size() > 2);
                print(stage, "restart");
                return;
            }
            String first = stage.sha256();
            write(stage.own, arguments[1], Integer.parseInt(arguments[2]));
            stage.until(
                    "the files to be judged",
                    () ->
                            stage.sets.status().refused().isPresent()
                                    || !stage.sha256().equals(first));
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
    private static void write(Path folder, String shape, int policies) throws IOException {
        StringBuilder text = new StringBuilder();
        int file = 0;
        for (int i = 0; i < policies; i++) {
            text.append(policy(shape, i));
            if (text.length() > 350_000 || i == policies - 1) {
                Files.writeString(folder.resolve("f" + file++ + ".cedar"), text);
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
            case "escapes" -> begin + "principal.id==\"" + "\\0".repeat(45_000) + "\"};";
            case "invalid" -> begin + "principal.none==1};\n";
            default -> throw new IllegalArgumentException(shape);
        };
    }
}
