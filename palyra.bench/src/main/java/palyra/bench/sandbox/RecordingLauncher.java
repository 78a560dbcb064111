package palyra.bench.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxProcess;

/** A launcher that remembers what it launched last, for others to launch the very same. */
final class RecordingLauncher implements ProcessLauncher {
    private final ProcessLauncher launcher;
    private volatile LaunchPlan last;

    RecordingLauncher(ProcessLauncher launcher) {
        this.launcher = launcher;
    }

    @Override
    public HostFacts host() {
        return launcher.host();
    }

    @Override
    public HostFacts refresh() {
        return launcher.refresh();
    }

    @Override
    public SandboxProcess launch(LaunchPlan plan) {
        last = plan;
        return launcher.launch(plan);
    }

    /**
     * Writes words and passed data of the last launch into a folder.
     *
     * @return the arguments for {@code peer spawn COUNT}
     */
    List<String> save(Path folder) throws IOException {
        return save(last, folder);
    }

    static List<String> save(LaunchPlan plan, Path folder) throws IOException {
        Files.createDirectories(folder);
        List<String> arguments = new ArrayList<>();
        arguments.add(words(folder.resolve("argv"), plan.argv()));
        for (LaunchPlan.Passed passed : plan.passed()) {
            Path file = folder.resolve("fd-" + passed.descriptor());
            Files.write(file, passed.content());
            arguments.add(passed.descriptor() + ":" + file);
        }
        for (LaunchPlan.Opened opened : plan.opened()) {
            arguments.add(opened.descriptor() + ":" + opened.path());
        }
        if (plan.statusDescriptor() > 0) {
            arguments.add(plan.statusDescriptor() + ":-");
        }
        return arguments;
    }

    /** Writes words as the C program reads them: a NUL behind each; returns the file's path. */
    static String words(Path file, List<String> words) throws IOException {
        Files.write(file, (String.join("\0", words) + "\0").getBytes(StandardCharsets.UTF_8));
        return file.toString();
    }
}
