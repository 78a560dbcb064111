package palyra.skills.internal.trycommand;

import java.util.List;
import java.util.function.Supplier;
import palyra.api.command.Command;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.sealed.Redactor;
import palyra.shared.sealed.RunSecretStore;
import palyra.shared.sealed.VaultValues;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.model.ActiveSkills;
import palyra.skills.internal.run.RunSettings;
import palyra.skills.internal.tool.SkillCallService;

/** The commands {@code skills run} and {@code skills admit}. */
public final class OperatorCommands {
    private OperatorCommands() {}

    /**
     * The services that record calls by hand.
     *
     * @param journal stores the records
     * @param keys sign the attestations
     * @param vault the values that no record may hold
     */
    public record Recording(Gate<Journal> journal, Gate<Keys> keys, VaultValues vault) {}

    /**
     * Returns both.
     *
     * @param gateway what artifacts have to be made for
     */
    public static List<Command> all(
            ActiveSkills skills,
            SkillCallService calls,
            Recording recording,
            GatewayVersion gateway,
            Supplier<RunSettings> settings) {
        Ulids ids = new Ulids();
        RunSecretStore secrets =
                new RunSecretStore(
                        new Redactor(recording.vault()), recording.journal(), recording.keys());
        OperatorCallRecords records =
                new OperatorCallRecords(
                        recording.journal(), new OperatorCallTape(recording.keys(), secrets, ids));
        return List.of(
                new RunCommand(new ToolFinder(skills, gateway), calls, records, settings, ids),
                new AdmitCommand(calls));
    }
}
