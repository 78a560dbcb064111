package palyra.skills.internal.host;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import palyra.api.Require;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.journal.Journal;
import palyra.shared.gate.Gate;
import palyra.shared.vault.SecretLender;

/**
 * The services of host functions.
 *
 * @param egress returns the current egress service; throws when egress is unavailable
 * @param secrets where secrets are lent
 * @param access who decides
 * @param journal where messages and denials are recorded
 * @param storage what skills keep
 * @param denials what records denials
 * @param connectors returns what the connector of a channel can do; empty while none is there
 */
public record HostSeams(
        Supplier<EgressClient> egress,
        SecretLender secrets,
        Gate<Access> access,
        Gate<Journal> journal,
        SkillStorage storage,
        Denials denials,
        Function<String, Optional<ConnectorCapabilities>> connectors) {
    /** Checks. */
    public HostSeams {
        Require.present(egress, "the way out");
        Require.present(secrets, "secrets");
        Require.present(access, "access");
        Require.present(journal, "journal");
        Require.present(storage, "storage");
        Require.present(denials, "denials");
        Require.present(connectors, "connectors");
    }

    /** Returns the same with other storage. */
    public HostSeams with(SkillStorage other) {
        return new HostSeams(egress, secrets, access, journal, other, denials, connectors);
    }
}
