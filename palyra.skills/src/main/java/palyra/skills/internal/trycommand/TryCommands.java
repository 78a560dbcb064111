package palyra.skills.internal.trycommand;

import java.util.List;
import java.util.function.Supplier;
import palyra.api.command.Command;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.sealed.Redactor;
import palyra.shared.sealed.SecretKeeper;
import palyra.shared.sealed.VaultValues;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.model.ActiveSkills;
import palyra.skills.internal.run.RunSettings;
import palyra.skills.internal.tool.SkillCallService;

/** The commands {@code skills run} and {@code skills admit}. */
public final class TryCommands {
    private TryCommands() {}

    /**
     * What calls by hand are recorded with.
     *
     * @param journal where they stand
     * @param keys sign them
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
        SecretKeeper secrets =
                new SecretKeeper(
                        new Redactor(recording.vault()), recording.journal(), recording.keys());
        TryRecords records =
                new TryRecords(recording.journal(), new TryTape(recording.keys(), secrets, ids));
        return List.of(
                new RunCommand(new TriedOffers(skills, gateway), calls, records, settings, ids),
                new AdmitCommand(calls));
    }
}
