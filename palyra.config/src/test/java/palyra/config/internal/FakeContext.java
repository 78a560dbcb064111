package palyra.config.internal;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandOutput;

/** One execution of a command, with what it wrote. */
final class FakeContext implements CommandContext, CommandOutput {
    final List<List<String>> rows = new ArrayList<>();
    final List<String> lines = new ArrayList<>();
    final List<String> notes = new ArrayList<>();
    Map<String, ?> fields = Map.of();
    private final CommandArguments arguments;
    private final String workingFolder;
    private final boolean json;
    private String input = "";

    FakeContext(
            Map<String, List<String>> options,
            List<String> positionals,
            String workingFolder,
            boolean json) {
        this.arguments = new CommandArguments(options, positionals);
        this.workingFolder = workingFolder;
        this.json = json;
    }

    static FakeContext of(String... positionals) {
        return new FakeContext(Map.of(), List.of(positionals), "", false);
    }

    FakeContext input(String text) {
        input = text;
        return this;
    }

    @Override
    public Principal principal() {
        return new Principal("user:test", PrincipalKind.USER, Set.of(), Set.of(), "");
    }

    @Override
    public CommandArguments arguments() {
        return arguments;
    }

    @Override
    public InputStream in() {
        return new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public OutputStream out() {
        return OutputStream.nullOutputStream();
    }

    @Override
    public CommandOutput output() {
        return this;
    }

    @Override
    public boolean json() {
        return json;
    }

    @Override
    public boolean interactive() {
        return false;
    }

    @Override
    public int columns() {
        return 80;
    }

    @Override
    public String workingFolder() {
        return workingFolder;
    }

    @Override
    public boolean cancelled() {
        return false;
    }

    @Override
    public void onCancel(Runnable action) {}

    @Override
    public void table(List<String> headings, List<List<String>> found) {
        rows.addAll(found);
    }

    @Override
    public void fields(Map<String, ?> found) {
        fields = found;
    }

    @Override
    public void line(String text) {
        lines.add(text);
    }

    @Override
    public void raw(String text) {
        lines.add(text);
    }

    @Override
    public void note(String text) {
        notes.add(text);
    }
}
