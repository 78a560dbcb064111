package palyra.bench.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Policy sets as an operator would save them, by the shipped schema. */
final class SetText {
    /** A tool that {@link #write} permits to all users or to none. */
    private static final String MARKER = "bench.marker";

    private static final String SHIPPED = "palyra.dist/src/main/dist/policies";
    private static final int FILES = 10;
    private static final int MOST_CASES = 100;

    private SetText() {}

    /**
     * Returns the folder of the shipped policies.
     *
     * @throws IOException when this is not run in the repository
     */
    static Path shipped() throws IOException {
        for (Path root : new Path[] {Path.of(""), Path.of("..")}) {
            Path folder = root.resolve(SHIPPED).toAbsolutePath().normalize();
            if (Files.isDirectory(folder)) {
                return folder;
            }
        }
        throw new IOException("there is no " + SHIPPED + " here; run it in the repository");
    }

    /** Writes a set of {@code count} policies into a new folder, one of them about the marker. */
    static Path write(Path folder, int count, boolean marker) throws IOException {
        Files.createDirectories(folder);
        for (int file = 0; file < FILES; file++) {
            StringBuilder text = new StringBuilder();
            for (int i = file; i < count - 1; i += FILES) {
                text.append(policy(i)).append('\n');
            }
            if (file == 0) {
                text.append(marker(marker));
            }
            Files.writeString(folder.resolve("own" + file + ".cedar"), text);
        }
        Files.writeString(folder.resolve("own.cases.json"), cases(Math.min(MOST_CASES, count)));
        return folder;
    }

    private static String marker(boolean permitted) {
        return """
        @id("marker")
        @reason("Permitted to all users.")
        permit (principal is %s, action == Action::"tool.execute", resource == Tool::"%s");
        """
                .formatted(permitted ? "User" : "Service", MARKER);
    }

    private static String policy(int i) {
        String head = "@id(\"own%d\")\n@reason(\"Policy %d of the benchmark.\")\n".formatted(i, i);
        String user = "User::\"user:u" + i % 40 + "\"";
        String tool = "Tool::\"acme.tool" + i % 60 + "\"";
        String call = "action == Action::\"tool.execute\"";
        return head
                + switch (i % 7) {
                    case 0 ->
                            "permit (principal == %s, %s, resource == %s);"
                                    .formatted(user, call, tool);
                    case 1 ->
                            "permit (principal in Group::\"integrator\", %s, resource == %s) when { [\"h%d.example.org\"].containsAll(context.facts.hosts) };"
                                    .formatted(call, tool, i);
                    case 2 ->
                            "permit (principal is User, action in Action::\"own_runs\", resource is Run) when { principal in [%s] && resource has owner && resource.owner == principal.id };"
                                    .formatted(user);
                    case 3 ->
                            "@approval(\"May it?\")\n@ttl(\"1h\")\nforbid (principal, %s, resource == %s) when { context.facts.write_paths.contains(\"/p%d\") } unless { context.approval.granted };"
                                    .formatted(call, tool, i);
                    case 4 ->
                            "permit (principal is User, action in Action::\"messaging\", resource == Channel::\"discord:c%d\") when { principal in [%s] };"
                                    .formatted(i, user);
                    case 5 ->
                            "forbid (principal == %s, %s, resource) when { context has channel && context.channel == Channel::\"discord:c%d\" && resource.sensitive };"
                                    .formatted(user, call, i);
                    default ->
                            "permit (principal is Service, action == Action::\"session.read\", resource is Session) when { context has surface && context.surface == \"s%d\" };"
                                    .formatted(i);
                };
    }

    /** Cases that hold with any policies of the set. */
    private static String cases(int count) {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "\n" : ",\n")
                    .append(
                            """
                            {"name":"stranger %d","principal":"user:x%d","action":"run.read",
                             "resource":{"id":"run:%d","owner":"user:y"},"expect":"deny"}"""
                                    .formatted(i, i, i));
        }
        return text.append("\n]\n").toString();
    }
}
