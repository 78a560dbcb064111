package palyra.shell.internal.vault;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.vault.Vault;
import palyra.api.core.vault.VaultStatus;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code vault status}. */
@Component(service = Command.class)
public final class VaultStatusCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public VaultStatusCommand(@Reference Seams seams) {
        super(
                spec(
                        "vault status",
                        "Shows whether secrets can be had, and how far a rotation is.",
                        "Exits with 1 while they cannot.",
                        "system.status",
                        List.of(),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        VaultStatus status = seams.vault().call(Vault::status);
        String journal = status.usable() ? journalProblem() : "";
        Map<String, Object> fields = new LinkedHashMap<>(fields(status));
        if (!journal.isEmpty()) {
            fields.put("usable", false);
            fields.put("problem", journal);
        }
        context.output().fields(fields);
        return status.usable() && journal.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    /** Each use of a secret is recorded first, so none is had while the journal takes no record. */
    private String journalProblem() {
        Optional<JournalStatus> journal = Seams.ifPresent(seams.journal(), Journal::status);
        return journal.map(
                        status ->
                                status.state() == JournalStatus.State.OPEN
                                        ? ""
                                        : "The journal is "
                                                + status.state()
                                                + ": "
                                                + status.detail())
                .orElse("The journal is absent, and each use of a secret is recorded first.");
    }

    static Map<String, ?> fields(VaultStatus status) {
        return Fields.of(
                "usable", status.usable(),
                "problem", status.problem(),
                "keySource", status.keySource(),
                "keyVersion", status.keyVersion(),
                "secrets", status.secrets(),
                "pending", status.pending());
    }
}
