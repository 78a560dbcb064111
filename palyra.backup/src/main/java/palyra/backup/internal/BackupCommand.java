package palyra.backup.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.journal.JournalCopier;
import palyra.api.core.journal.JournalCopier.Copied;
import palyra.api.core.ops.Ops;
import palyra.backup.internal.archive.BackupWriter;
import palyra.backup.internal.archive.Manifest;
import palyra.backup.internal.archive.Passphrase;
import palyra.backup.internal.archive.SealedOutput;
import palyra.shared.files.MediumFailure;
import palyra.shared.files.NewFile;
import palyra.shared.files.TemporaryFolder;
import palyra.shared.gate.Gate;
import palyra.shared.terminal.TerminalInput;

/** {@code backup FILE|-}: all that a gateway needs, while it runs. */
@Component(service = Command.class)
public final class BackupCommand implements Command {
    private static final long WAIT_MILLIS = 5_000;
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "backup",
                    "Writes a backup of the running gateway",
                    """
                    Holds the journal, keys, vault, policies with their history, skills, configuration
                    and drop-ins, as they were at one moment. With - as FILE it goes to standard output.
                    The passphrase is typed unseen, or is the first line of standard input; without it
                    the backup cannot be opened. --plain writes it without one: that file then gives
                    the gateway's keys to its readers.
                    palyra restore FILE brings it back into an empty state folder.\
                    """,
                    List.of(OptionSpec.flag("plain", "Do not encrypt")),
                    List.of(
                            PositionalSpec.required(
                                    "FILE", "A new file, or - for standard output")),
                    "backup.create",
                    true);

    private final Gate<JournalCopier> journal =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, WAIT_MILLIS);
    private final StateFiles files;
    private final Room room;
    private final NewFile newFile;
    private final Path tmp;
    private final String version;

    /** Called by the component runtime. */
    @Activate
    public BackupCommand(BundleContext context) {
        this(
                Path.of(context.getProperty(Ops.STATE_FOLDER)),
                new NewFile(context),
                context.getBundle().getVersion().toString());
    }

    BackupCommand(Path state, NewFile newFile, String version) {
        this.files = new StateFiles(state);
        this.room = new Room(state);
        this.tmp = state.resolve("tmp");
        this.newFile = newFile;
        this.version = version;
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindJournal(JournalCopier service, Map<String, Object> properties) {
        journal.add(service, properties);
    }

    void unbindJournal(JournalCopier service) {
        journal.remove(service);
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        String name = context.arguments().positionals().get(0);
        boolean plain = context.arguments().flag("plain");
        boolean toOutput = name.equals("-");
        if (toOutput && (context.json() || context.interactive())) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A backup is not text: redirect standard output, and leave out --json.");
        }
        Path file = toOutput ? null : newFile.target(context, name);
        byte[] passphrase = plain ? new byte[0] : passphrase(context);
        room.require(files.bytes());
        try (TemporaryFolder draft = TemporaryFolder.in(tmp)) {
            Copied copied = copy(context, draft.path());
            Manifest about =
                    new Manifest(
                            version, System.currentTimeMillis(), 0, copied.records(), Map.of());
            if (toOutput) {
                write(context, draft.path(), about, context.out(), plain, passphrase);
                context.out().flush();
                warn(context, plain);
                return ExitCodes.OK;
            }
            Manifest[] written = new Manifest[1];
            NewFile.write(
                    context,
                    file,
                    (out, cancelled) -> {
                        OutputStream checked = room.checked(out, file);
                        written[0] =
                                write(context, draft.path(), about, checked, plain, passphrase);
                        checked.flush();
                        return 0;
                    });
            tell(context, file, written[0], plain);
            return ExitCodes.OK;
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }

    private Copied copy(CommandContext context, Path draft) throws IOException {
        Copied[] copied = new Copied[1];
        context.output().progress("copying the journal");
        try {
            files.copyAround(
                    draft,
                    context::cancelled,
                    () ->
                            copied[0] =
                                    journal.call(
                                            j ->
                                                    j.copyTo(
                                                            draft.resolve("journal"),
                                                            context::cancelled)));
            return copied[0];
        } catch (IOException e) {
            throw notCopied(MediumFailure.of(e, draft).code(ErrorCode.INTERNAL), draft, e);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.DISK_FULL) {
                throw e;
            }
            throw notCopied(e.code(), draft, e);
        }
    }

    private static PalyraException notCopied(ErrorCode code, Path draft, Exception e) {
        return new PalyraException(
                code,
                "The state folder cannot be copied: "
                        + MediumFailure.sentence(e, draft.getParent())
                        + ". Nothing of the backup is left.",
                e);
    }

    private static Manifest write(
            CommandContext context,
            Path draft,
            Manifest about,
            OutputStream out,
            boolean plain,
            byte[] passphrase)
            throws IOException {
        if (plain) {
            return BackupWriter.write(
                    draft, about, out, context::cancelled, context.output()::progress);
        }
        SealedOutput sealed = new SealedOutput(out, passphrase);
        Manifest manifest =
                BackupWriter.write(
                        draft, about, sealed, context::cancelled, context.output()::progress);
        sealed.finish();
        return manifest;
    }

    private static void tell(CommandContext context, Path file, Manifest manifest, boolean plain)
            throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("file", file.toString());
        fields.put("sizeBytes", Files.size(file));
        fields.put("encrypted", !plain);
        fields.put("records", manifest.records());
        fields.put("files", manifest.files().size() + manifest.payloadFiles());
        context.output().fields(fields);
        warn(context, plain);
    }

    private static void warn(CommandContext context, boolean plain) {
        context.output()
                .note(
                        plain
                                ? "The backup is not encrypted: it holds the keys of this gateway."
                                        + " Keep it where the state folder could be kept."
                                : "Without the passphrase the backup cannot be opened. Keep it"
                                        + " elsewhere.");
    }

    private static byte[] unseen(CommandContext context, String question) throws IOException {
        return TerminalInput.withoutEnd(
                TerminalInput.unseen(context, question, Passphrase.MOST_BYTES + 3));
    }

    private static byte[] passphrase(CommandContext context) throws IOException {
        byte[] first =
                context.interactive()
                        ? unseen(context, "Passphrase (it is not shown): ")
                        : Passphrase.firstLine(context.in());
        if (context.interactive()) {
            byte[] second = unseen(context, "The same again: ");
            boolean same = Arrays.equals(first, second);
            Arrays.fill(second, (byte) 0);
            if (!same) {
                Arrays.fill(first, (byte) 0);
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT, "The two passphrases differ; try again.");
            }
        }
        if (first.length < Passphrase.LEAST_BYTES) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The passphrase has "
                            + first.length
                            + " bytes; give at least "
                            + Passphrase.LEAST_BYTES
                            + ", or --plain to write the backup without one.");
        }
        return first;
    }
}
