package palyra.skills.internal.manifest;

import java.util.ArrayList;
import java.util.List;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillGrants.SecretGrant;
import palyra.skills.internal.model.SkillGrants.StorageGrant;
import palyra.skills.internal.model.SkillQuotas;

/** Reads {@code capabilities}. */
final class CapabilitiesReader {
    /** Default size of a storage prefix. */
    static final long STORAGE_BYTES = 16L << 20;

    private static final long MAX_STORAGE_BYTES = 1L << 30;
    private static final int MAX_LIST = 64;

    /** The first format in which secrets name their hosts. */
    private static final int BOUND = 4;

    /** The first format that grants to read conversations. */
    private static final int READS = 4;

    private static final String HOST =
            "(\\*|(\\*\\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*"
                    + "(:[1-9][0-9]{0,4})?)";
    private static final String SCOPE =
            "global|skill:|(principal|channel|skill):[A-Za-z0-9._:@-]{1,100}";
    private static final String SECRET_KEY = "\\*|[A-Za-z0-9._/-]{1,100}";
    private static final String PREFIX = "[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*/?";
    private static final String CHANNEL = "[a-z0-9][a-z0-9._-]{0,49}:[A-Za-z0-9._:@#-]{1,100}";
    private static final String ROOT = "[^\\p{Cntrl}]{1,255}";

    private final SkillGrants grants;
    private final Manifest.Declared declared;
    private final SkillQuotas quotas;
    private final List<String> wildcards;

    CapabilitiesReader(Table table, int format, List<String> warnings) {
        wildcards = wildcards(table.table("wildcard_opt_in"));
        Table filesystem = table.table("filesystem");
        List<String> read = filesystem.texts("read_roots", MAX_LIST, ROOT, "a path");
        List<String> write = filesystem.texts("write_roots", MAX_LIST, ROOT, "a path");
        filesystem.requireNoOthers();
        if (read.contains("*") || write.contains("*")) {
            requireOptIn("filesystem", table, "filesystem");
        }
        List<StorageGrant> storage = new ArrayList<>(roots(write, true, warnings));
        for (StorageGrant grant : roots(read, false, warnings)) {
            if (storage.stream().noneMatch(other -> other.prefix().equals(grant.prefix()))) {
                storage.add(grant);
            }
        }
        List<String> channels = List.of();
        List<String> readChannels = List.of();
        if (format >= 3) {
            storage.addAll(storage(table));
            channels =
                    table.texts("channels", MAX_LIST, CHANNEL, "KIND:NAME, such as discord:main");
        }
        if (format >= READS) {
            readChannels =
                    table.texts(
                            "read_channels", MAX_LIST, CHANNEL, "KIND:NAME, such as discord:main");
        }
        List<String> hosts = hosts(table);
        grants =
                new SkillGrants(
                        hosts, secrets(table, format, hosts), storage, channels, readChannels);
        warnings.addAll(unbound(format, grants));
        declared =
                new Manifest.Declared(
                        read,
                        write,
                        names(table, "device_capabilities", "device"),
                        names(table, "node_capabilities", "node"),
                        wildcards);
        quotas = quotas(table.table("quotas"));
        table.requireNoOthers();
    }

    SkillGrants grants() {
        return grants;
    }

    Manifest.Declared declared() {
        return declared;
    }

    SkillQuotas quotas() {
        return quotas;
    }

    private static List<String> wildcards(Table table) {
        List<String> set = new ArrayList<>();
        for (String name : List.of("filesystem", "http_egress", "secrets", "device", "node")) {
            if (table.flag(name, false)) {
                set.add(name);
            }
        }
        table.requireNoOthers();
        return set;
    }

    private void requireOptIn(String kind, Table table, String key) {
        if (!wildcards.contains(kind)) {
            throw table.refuse(
                    key, "a wildcard only with capabilities.wildcard_opt_in." + kind + " = true");
        }
    }

    private List<String> hosts(Table table) {
        String key = "http_egress_allowlist";
        List<String> hosts =
                table.texts(
                        key,
                        MAX_LIST,
                        HOST,
                        "a lower-case host, host:port, or *.host with an opt-in; no scheme or path");
        if (hosts.stream().anyMatch(host -> host.startsWith("*"))) {
            requireOptIn("http_egress", table, key);
        }
        for (String host : hosts) {
            int colon = host.indexOf(':');
            if (host.length() > 259
                    || (colon > 0 && Integer.parseInt(host.substring(colon + 1)) > 65_535)) {
                throw table.refuse(key, "hosts of at most 253 characters and ports up to 65535");
            }
        }
        return hosts;
    }

    private List<SecretGrant> secrets(Table table, int format, List<String> hosts) {
        List<SecretGrant> all = new ArrayList<>();
        for (Table each : table.tables("secrets", MAX_LIST)) {
            String scope = each.text("scope", SCOPE, "global, principal:ID, channel:ID or skill:");
            boolean value = format >= 3 && each.flag("value", false);
            List<String> keys =
                    each.texts(
                            "key_names", MAX_LIST, SECRET_KEY, "up to 100 of A-Z a-z 0-9 . _ / -");
            if (keys.isEmpty()) {
                throw each.refuse("key_names", "at least one key");
            }
            if (keys.contains("*")) {
                requireOptIn("secrets", each, "key_names");
            }
            List<String> bound =
                    format >= BOUND ? bound(each, hosts, value) : SecretGrant.implied(hosts);
            each.requireNoOthers();
            for (String key : keys) {
                if (all.stream().anyMatch(g -> g.scope().equals(scope) && g.key().equals(key))) {
                    throw each.refuse("key_names", "each secret once");
                }
                all.add(new SecretGrant(scope, key, value, bound));
            }
        }
        return all;
    }

    /** Each secret names the hosts that it may go to; one whose value is read may name none. */
    private static List<String> bound(Table each, List<String> hosts, boolean value) {
        List<String> bound =
                each.texts("hosts", MAX_LIST, HOST, "entries of http_egress_allowlist");
        if (bound.isEmpty() && !value) {
            throw each.refuse("hosts", "at least one entry of http_egress_allowlist");
        }
        if (!hosts.containsAll(bound)) {
            throw each.refuse("hosts", "entries of http_egress_allowlist, written as there");
        }
        return bound;
    }

    private static List<String> unbound(int format, SkillGrants grants) {
        return grants.secrets().stream()
                .filter(secret -> format < BOUND && secret.hosts().isEmpty())
                .map(
                        secret ->
                                "secret_without_host: the secret "
                                        + secret.key()
                                        + " is sent to no host, because manifest_version "
                                        + format
                                        + " cannot say to which of several; write manifest_version "
                                        + BOUND
                                        + " and hosts of capabilities.secrets.")
                .toList();
    }

    private static List<StorageGrant> storage(Table table) {
        List<StorageGrant> all = new ArrayList<>();
        for (Table each : table.tables("storage", MAX_LIST)) {
            String prefix = each.text("prefix", ".{1,255}", "a prefix");
            if (!isPrefix(prefix)) {
                throw each.refuse("prefix", "letters, digits, . _ - between /, without ..");
            }
            all.add(
                    new StorageGrant(
                            prefix,
                            each.flag("write", false),
                            each.number("max_bytes", STORAGE_BYTES, 0, MAX_STORAGE_BYTES)));
            each.requireNoOthers();
        }
        return all;
    }

    private static boolean isPrefix(String text) {
        return text.matches(PREFIX) && List.of(text.split("/")).stream().noneMatch(Dots::only);
    }

    /** Names that mean a place relative to another. */
    private static final class Dots {
        private Dots() {}

        static boolean only(String segment) {
            return segment.equals(".") || segment.equals("..");
        }
    }

    /** File system roots are parts of the skill's own storage here, as far as they are relative. */
    private static List<StorageGrant> roots(
            List<String> roots, boolean write, List<String> warnings) {
        List<StorageGrant> all = new ArrayList<>();
        for (String root : roots) {
            if (isPrefix(root)) {
                all.add(new StorageGrant(root, write, STORAGE_BYTES));
            } else {
                warnings.add(
                        "filesystem_root_not_granted: '"
                                + root
                                + "' grants nothing: only relative roots do, and they are parts of"
                                + " the skill's own storage.");
            }
        }
        return all;
    }

    private List<String> names(Table table, String key, String wildcard) {
        List<String> names =
                table.texts(
                        key,
                        MAX_LIST,
                        "\\*|" + ManifestReader.IDENTIFIER,
                        ManifestReader.IDENTIFIER_WORDS);
        if (names.contains("*")) {
            requireOptIn(wildcard, table, key);
        }
        return names;
    }

    private static SkillQuotas quotas(Table table) {
        SkillQuotas usual = SkillQuotas.DEFAULT;
        SkillQuotas quotas =
                new SkillQuotas(
                        table.number("wall_clock_timeout_ms", usual.timeoutMillis(), 1, 600_000),
                        table.number("fuel_budget", usual.fuel(), 1, 1_000_000_000_000L),
                        table.number("max_memory_bytes", usual.memoryBytes(), 65_536, 1L << 30));
        table.requireNoOthers();
        return quotas;
    }
}
