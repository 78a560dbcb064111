package palyra.skills.internal.trycommand;

import java.util.ArrayList;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.OptionSpec;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillGrants.SecretGrant;
import palyra.skills.internal.model.SkillGrants.StorageGrant;

/** Grants of the option {@code --grant}, which replace those of a manifest. */
final class GrantOptions {
    static final OptionSpec OPTION =
            new OptionSpec(
                    "grant",
                    "GRANT",
                    "For a file: http=HOST, secret=SCOPE/KEY@HOST, secret-value=…,"
                            + " storage=PREFIX, storage-write=PREFIX, channel=NAME or"
                            + " channel-read=NAME; again for more",
                    List.of(),
                    true);

    private static final long QUOTA = 16L << 20;

    private GrantOptions() {}

    /**
     * Reads them.
     *
     * @throws PalyraException INVALID_ARGUMENT naming the first invalid grant
     */
    static SkillGrants read(List<String> given) {
        List<String> hosts = new ArrayList<>();
        List<SecretGrant> secrets = new ArrayList<>();
        List<StorageGrant> storage = new ArrayList<>();
        List<String> channels = new ArrayList<>();
        List<String> readChannels = new ArrayList<>();
        for (String each : given) {
            int equals = each.indexOf('=');
            String value = equals < 0 ? "" : each.substring(equals + 1);
            if (value.isBlank()) {
                throw unusable(each);
            }
            switch (each.substring(0, equals)) {
                case "http" -> hosts.add(value);
                case "secret" -> secrets.add(secret(each, value, false, given));
                case "secret-value" -> secrets.add(secret(each, value, true, given));
                case "storage" -> storage.add(new StorageGrant(value, false, QUOTA));
                case "storage-write" -> storage.add(new StorageGrant(value, true, QUOTA));
                case "channel" -> channels.add(value);
                case "channel-read" -> readChannels.add(value);
                default -> throw unusable(each);
            }
        }
        return new SkillGrants(hosts, secrets, storage, channels, readChannels);
    }

    /** {@code SCOPE/KEY@HOST}; without a host it goes to the only one that is granted. */
    private static SecretGrant secret(
            String whole, String given, boolean readable, List<String> all) {
        int at = given.lastIndexOf('@');
        boolean bound = at > given.lastIndexOf('/');
        String value = bound ? given.substring(0, at) : given;
        List<String> hosts =
                all.stream()
                        .filter(each -> each.startsWith("http="))
                        .map(each -> each.substring("http=".length()))
                        .toList();
        if (bound && !hosts.contains(given.substring(at + 1))) {
            throw unusable(whole);
        }
        int slash = value.indexOf('/');
        if (slash <= 0 || slash == value.length() - 1) {
            throw unusable(whole);
        }
        return new SecretGrant(
                value.substring(0, slash),
                value.substring(slash + 1),
                readable,
                bound ? List.of(given.substring(at + 1)) : SecretGrant.implied(hosts));
    }

    private static PalyraException unusable(String given) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "--grant is '"
                        + given
                        + "': give http=HOST, secret=SCOPE/KEY@HOST,"
                        + " secret-value=SCOPE/KEY@HOST (HOST as in an http=HOST beside it),"
                        + " storage=PREFIX, storage-write=PREFIX, channel=NAME or"
                        + " channel-read=NAME");
    }
}
