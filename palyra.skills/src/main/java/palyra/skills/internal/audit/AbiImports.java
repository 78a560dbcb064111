package palyra.skills.internal.audit;

import java.util.HashMap;
import java.util.Map;
import palyra.skills.internal.model.SkillGrants;

/** The functions that a gateway offers to skills, with their types (docs/skill-abi.md). */
final class AbiImports {
    static final String WASI = "wasi_snapshot_preview1";
    private static final String OWN = "palyra";
    private static final String LEGACY = "palyra:plugins/host-capabilities@0.1.0";
    private static final String CAPABILITY = "host_capability_";
    private static final Map<String, String> TYPES = types();

    private AbiImports() {}

    private static Map<String, String> types() {
        Map<String, String> all = new HashMap<>();
        String one = "(i32) -> (i32)";
        String two = "(i32, i32) -> (i32)";
        String four = "(i32, i32, i32, i32) -> (i32)";
        put(all, OWN, one, "buffer_len buffer_close");
        put(all, OWN, four, "buffer_read");
        put(all, OWN, two, "output_write random");
        put(all, OWN, "(i32, i32, i32) -> ()", "log");
        put(all, OWN, "() -> (i64)", "now");
        for (String name :
                ("http_request secret_open secret_value storage_get storage_put storage_delete"
                                + " storage_list channel_send channel_edit channel_react"
                                + " channel_read")
                        .split(" ")) {
            put(all, OWN, two, CAPABILITY + name);
        }
        for (String kind : "http secret storage channel".split(" ")) {
            put(all, LEGACY, "() -> (i32)", kind + "-count");
            put(all, LEGACY, one, kind + "-handle");
        }
        put(all, "env", "(i32, i32, i32, i32) -> ()", "abort");
        put(all, WASI, four, "fd_write fd_read poll_oneoff");
        put(all, WASI, one, "fd_close");
        put(all, WASI, "(i32, i64, i32, i32) -> (i32)", "fd_seek");
        put(
                all,
                WASI,
                two,
                "fd_fdstat_get fd_prestat_get environ_get environ_sizes_get args_get"
                        + " args_sizes_get clock_res_get random_get");
        put(all, WASI, "(i32, i32, i32) -> (i32)", "fd_prestat_dir_name");
        put(all, WASI, "(i32) -> ()", "proc_exit");
        put(all, WASI, "(i32, i64, i32) -> (i32)", "clock_time_get");
        put(all, WASI, "() -> (i32)", "sched_yield");
        return Map.copyOf(all);
    }

    private static void put(Map<String, String> all, String module, String type, String names) {
        for (String name : names.split(" ")) {
            all.put(key(module, name), type);
        }
    }

    private static String key(String module, String name) {
        return module + '\n' + name;
    }

    /** Returns the fault of an import; empty when a host function of this type exists. */
    static String fault(ModuleSummary.Import wanted) {
        String type = TYPES.get(key(wanted.module(), wanted.name()));
        String name = wanted.module() + "." + wanted.name();
        if (type == null) {
            return name + " is not a host function";
        }
        return type.equals(wanted.type())
                ? ""
                : name + " is imported as " + wanted.type() + " and is " + type;
    }

    /** Returns whether an import of WASI concerns files or sockets, which modules do not get. */
    static boolean touchesFiles(ModuleSummary.Import wanted) {
        return wanted.module().startsWith("wasi")
                && wanted.name().matches("(path_|fd_|sock_).*")
                && !TYPES.containsKey(key(wanted.module(), wanted.name()));
    }

    /** Returns the grant that an import needs and that is missing; empty when it needs none. */
    static String missingGrant(ModuleSummary.Import wanted, SkillGrants grants) {
        if (!wanted.module().equals(OWN) || !wanted.name().startsWith(CAPABILITY)) {
            return "";
        }
        String rest = wanted.name().substring(CAPABILITY.length());
        String kind =
                rest.equals("channel_read")
                        ? rest
                        : rest.substring(0, Math.max(0, rest.indexOf('_')));
        boolean granted =
                switch (kind) {
                    case "http" -> !grants.httpHosts().isEmpty();
                    case "secret" -> !grants.secrets().isEmpty();
                    case "storage" -> !grants.storage().isEmpty();
                    case "channel" -> !grants.channels().isEmpty();
                    case "channel_read" -> !grants.readChannels().isEmpty();
                    default -> true;
                };
        return granted
                ? ""
                : switch (kind) {
                    case "http" -> "capabilities.http_egress_allowlist";
                    case "secret" -> "capabilities.secrets";
                    case "storage" -> "capabilities.storage";
                    case "channel_read" -> "capabilities.read_channels";
                    default -> "capabilities.channels";
                };
    }
}
