package palyra.policy.internal.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.PositionalSpec;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.set.Snapshot;

/** {@code policy lint [FILE|FOLDER]}: errors and warnings about policy texts. */
final class LintCommand implements Command {
    private static final String POLICIES = ".cedar";
    private static final String SCHEMA = "schema.cedarschema";
    private static final PolicySetLimits LIMITS = PolicySetLimits.STANDARD;
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy lint",
                    "Checks policy files by themselves: syntax, schema, names, annotations, form",
                    "Without an argument: the files that are read. A schema.cedarschema beside"
                            + " the files counts, else the one in force. Exit code 1 when there is"
                            + " an error; warnings are advice.",
                    List.of(),
                    List.of(
                            PositionalSpec.optional(
                                    "FILE|FOLDER", "A .cedar file, or a folder with some")),
                    PolicyServices.VALIDATE,
                    false);

    private final PolicyServices services;

    LintCommand(PolicyServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        Optional<Path> given =
                context.arguments().positional(0).map(text -> PathArguments.path(context, text));
        List<Path> folders =
                given.isEmpty()
                        ? services.sets().status().folders().stream().map(Path::of).toList()
                        : Stream.of(given.get()).filter(Files::isDirectory).toList();
        List<CedarFile> files = new ArrayList<>();
        if (given.isPresent() && folders.isEmpty()) {
            requirePolicies(given.get());
            files.add(file(given.get()));
            folders = Stream.ofNullable(given.get().getParent()).toList();
        } else {
            for (Path folder : folders) {
                addAll(folder, files, given.isEmpty());
            }
        }
        if (files.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND, "There is no .cedar file in " + folders + ".");
        }
        Optional<CedarFile> schema = schema(folders);
        return ProblemOutput.write(
                context,
                services.sets()
                        .aside(
                                () ->
                                        ProblemOutput.callEngine(
                                                () ->
                                                        Lint.check(
                                                                services.engine(),
                                                                files,
                                                                schema))));
    }

    private static void requirePolicies(Path file) {
        if (Files.isRegularFile(file) && !file.toString().endsWith(POLICIES)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    file + " does not end in .cedar; name a policy file or a folder with some.");
        }
    }

    private static void addAll(Path folder, List<CedarFile> files, boolean lenient)
            throws IOException {
        if (lenient && !Files.isDirectory(folder)) {
            return;
        }
        List<Path> found;
        try (Stream<Path> entries = Files.list(folder)) {
            found =
                    entries.filter(f -> f.toString().endsWith(POLICIES))
                            .filter(Files::isRegularFile)
                            .sorted()
                            .limit(LIMITS.files() + 1L)
                            .toList();
        }
        requireSize(folder, found);
        for (Path file : found) {
            files.add(file(file, folder, files));
        }
    }

    /** Before anything of them is read. */
    private static void requireSize(Path folder, List<Path> files) throws IOException {
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(file);
        }
        if (files.size() > LIMITS.files() || bytes > LIMITS.totalBytes()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    folder
                            + " has "
                            + (files.size() > LIMITS.files()
                                    ? "more than " + LIMITS.files()
                                    : Integer.toString(files.size()))
                            + " policy files with "
                            + bytes
                            + " bytes; a policy set has at most "
                            + LIMITS.files()
                            + " files with "
                            + LIMITS.totalBytes()
                            + " bytes. Name a single file, or take files away.");
        }
    }

    private static CedarFile file(Path file) {
        return CedarFile.of(
                ProblemOutput.shown(file.getFileName().toString()), PathArguments.bytes(file));
    }

    /** Two folders may have files of one name. */
    private static CedarFile file(Path file, Path folder, List<CedarFile> before) {
        CedarFile read = file(file);
        boolean taken = before.stream().anyMatch(other -> other.name().equals(read.name()));
        return taken ? CedarFile.of(folder.getFileName() + "/" + read.name(), read.bytes()) : read;
    }

    private Optional<CedarFile> schema(List<Path> folders) {
        for (Path folder : folders.reversed()) {
            Path file = folder.resolve(SCHEMA);
            if (Files.isRegularFile(file)) {
                return Optional.of(CedarFile.of(SCHEMA, PathArguments.bytes(file)));
            }
        }
        return services.sets().inForce().map(Snapshot::source).flatMap(source -> source.schema());
    }
}
