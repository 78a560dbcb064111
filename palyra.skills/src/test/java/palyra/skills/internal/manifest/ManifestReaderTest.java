package palyra.skills.internal.manifest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.store.CapabilityDiff;

/** Every key of the versions 1 to 4, and what is refused. */
class ManifestReaderTest {
    private static final List<String> MODULE = List.of("modules/a.wasm");
    private static final String HEAD =
            """
            manifest_version = 3
            skill_id = "acme.weather"
            name = "Weather"
            version = "1.2.3"
            publisher = "acme"
            """;
    private static final String TOOL =
            """
            [[entrypoints.tools]]
            id = "acme.get"
            name = "get"
            description = "Gets it."
            """;

    private static Manifest read(String toml) {
        return ManifestReader.read(toml.getBytes(StandardCharsets.UTF_8), MODULE);
    }

    private static String refused(String toml) {
        RefusedException e = assertThrows(RefusedException.class, () -> read(toml));
        assertEquals("manifest_invalid", e.reason());
        return e.getMessage();
    }

    @Test
    void readsEveryKeyOfVersion3() {
        Manifest manifest =
                read(
                        HEAD
                                + """
                                [[entrypoints.tools]]
                                id = "acme.get"
                                name = "get"
                                description = "Gets it."
                                module = "modules/a.wasm"
                                entrypoint = "get"
                                input_schema = { type = "object", properties.city = { type = "string" } }
                                output_schema = '{"type":"object"}'
                                risk = { default_sensitive = true, requires_approval = true }
                                [capabilities]
                                http_egress_allowlist = ["api.example.com", "x.example:8443", "*.example.org"]
                                channels = ["discord:main"]
                                device_capabilities = ["camera"]
                                node_capabilities = ["gpu"]
                                filesystem = { read_roots = ["data"], write_roots = ["/etc"] }
                                wildcard_opt_in = { http_egress = true }
                                [[capabilities.secrets]]
                                scope = "skill:"
                                key_names = ["api_token", "Other"]
                                value = true
                                [[capabilities.storage]]
                                prefix = "cache/"
                                write = true
                                max_bytes = 1000
                                [capabilities.quotas]
                                wall_clock_timeout_ms = 5
                                fuel_budget = 6
                                max_memory_bytes = 65536
                                [compat]
                                required_protocol_major = 1
                                min_palyra_version = "0.1.0"
                                max_palyra_version = "9.0.0"
                                [[integrity.files]]
                                path = "modules/a.wasm"
                                sha256 = "%s"
                                [builder]
                                experimental = true
                                source_kind = "generated"
                                checklist = { review_notes = "none" }
                                [operator]
                                display_name = "Weather"
                                summary = "Short."
                                description = "Long."
                                categories = ["a"]
                                tags = ["b"]
                                docs_url = "https://example.com/"
                                plugin = { default_tool_id = "acme.get", contracts = [{ kind = "memory_provider", version = 1 }] }
                                [operator.config]
                                schema_version = 1
                                required = ["token"]
                                properties.token = { type = "string", redacted = true, default = "x" }
                                """
                                        .formatted("ab".repeat(32)));
        assertEquals("acme.weather@1.2.3", manifest.id().toString());
        assertEquals("get", manifest.tools().get(0).entrypoint());
        assertEquals(
                "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}}",
                manifest.tools().get(0).inputSchemaJson());
        assertTrue(manifest.tools().get(0).sensitive());
        assertTrue(manifest.tools().get(0).requiresApproval());
        assertFalse(manifest.tools().get(0).legacy());
        SkillGrants grants = manifest.grants();
        assertEquals(3, grants.httpHosts().size());
        assertEquals(
                new SkillGrants.SecretGrant("skill:", "Other", true, List.of()),
                grants.secrets().get(1));
        assertEquals(List.of("discord:main"), grants.channels());
        assertEquals("data", grants.storage().get(0).prefix());
        assertEquals(new SkillGrants.StorageGrant("cache/", true, 1000), grants.storage().get(1));
        assertEquals(5, manifest.quotas().timeoutMillis());
        assertEquals(List.of("camera"), manifest.declared().devices());
        assertEquals(List.of("http_egress"), manifest.declared().wildcards());
        assertTrue(manifest.experimental());
        assertEquals(1, manifest.integrity().size());
        assertEquals(3, manifest.warnings().size(), manifest.warnings().toString());
        assertTrue(manifest.warnings().get(0).startsWith("filesystem_root_not_granted"));
        assertTrue(
                manifest.warnings().get(1).startsWith("secret_without_host: the secret api_token"));
        assertTrue(manifest.warnings().get(2).startsWith("secret_without_host: the secret Other"));
    }

    @Test
    void version2RunsTheOriginalsEntrypointAndTakesStorageFromRelativeRoots() {
        Manifest manifest =
                read(
                        (HEAD + TOOL).replace("manifest_version = 3", "manifest_version = 2")
                                + """
                                [capabilities.filesystem]
                                write_roots = ["cache"]
                                read_roots = ["cache", "more"]
                                [operator]
                                display_name = "W"
                                plugin = { default_module_path = "modules/a.wasm", default_entrypoint = "run_it" }
                                """);
        assertTrue(manifest.tools().get(0).legacy());
        assertEquals("run_it", manifest.tools().get(0).entrypoint());
        assertEquals(2, manifest.grants().storage().size());
        assertTrue(manifest.grants().storage().get(0).write());
        assertFalse(manifest.grants().storage().get(1).write());
        assertTrue(
                refused(
                                (HEAD + TOOL)
                                                .replace(
                                                        "manifest_version = 3",
                                                        "manifest_version = 2")
                                        + "[capabilities]\nchannels = [\"discord:main\"]\n")
                        .contains("capabilities.channels is not a known key"));
    }

    @Test
    void version1IsTakenWithAWarningAndMissingMetadataIsNamed() {
        Manifest manifest =
                read((HEAD + TOOL).replace("manifest_version = 3", "manifest_version = 1"));
        assertTrue(manifest.warnings().get(0).startsWith("legacy_manifest_version"));
        assertTrue(manifest.warnings().get(1).startsWith("missing_operator_metadata"));
        Manifest other =
                read(
                        HEAD
                                + TOOL
                                + "[operator]\nsummary='x'\n[operator.config.properties.api_key]\ntype='string'\n");
        assertTrue(
                other.warnings().get(0).startsWith("operator_config_redaction")
                        || other.warnings().size() == 2);
        assertTrue(
                read(HEAD + TOOL + "[operator]\nconfig={}\n")
                        .warnings()
                        .toString()
                        .contains("empty_operator_config_contract"));
    }

    private static final String HOSTS =
            "[capabilities]\nhttp_egress_allowlist = [\"a.example\", \"b.example:8443\"]\n";
    private static final String SECRET =
            "[[capabilities.secrets]]\nscope = \"skill:\"\nkey_names = [\"k\"]\n";

    @Test
    void bindsEachSecretToTheHostsThatItNames() {
        String head = HEAD.replace("= 3", "= 4") + TOOL + HOSTS + SECRET;
        Manifest manifest = read(head + "hosts = [\"b.example:8443\"]\n");
        assertEquals(List.of("b.example:8443"), manifest.grants().secrets().getFirst().hosts());
        assertTrue(
                CapabilityDiff.lines(manifest)
                        .contains("uses the secret skill:k, which may go to b.example:8443"));
        assertTrue(refused(head).contains("capabilities.secrets[0].hosts"));
        assertTrue(refused(head + "hosts = [\"c.example\"]\n").contains("hosts"));
        assertTrue(read(head + "value = true\n").grants().secrets().getFirst().hosts().isEmpty());
    }

    @Test
    void readsOfWhichChannelsConversationsAreRead() {
        String reads = TOOL + "[capabilities]\nread_channels = [\"telegram:main\"]\n";
        Manifest manifest = read(HEAD.replace("= 3", "= 4") + reads);
        assertEquals(List.of("telegram:main"), manifest.grants().readChannels());
        assertEquals(List.of(), manifest.grants().channels());
        assertTrue(CapabilityDiff.lines(manifest).contains("reads conversations of telegram:main"));
        assertTrue(refused(HEAD + reads).contains("read_channels is not a known key"));
        assertTrue(
                refused(HEAD.replace("= 3", "= 4") + reads.replace(":main", ""))
                        .contains("read_channels"));
    }

    @Test
    void bindsASecretOfAnOlderManifestToItsOnlyHostAndToNoneOfSeveral() {
        String one = "[capabilities]\nhttp_egress_allowlist = [\"a.example\"]\n";
        Manifest only = read(HEAD + TOOL + one + SECRET);
        assertEquals(List.of("a.example"), only.grants().secrets().getFirst().hosts());
        assertTrue(only.warnings().stream().noneMatch(w -> w.startsWith("secret_without_host")));
        Manifest several = read(HEAD + TOOL + HOSTS + SECRET);
        assertEquals(List.of(), several.grants().secrets().getFirst().hosts());
        assertTrue(several.warnings().stream().anyMatch(w -> w.startsWith("secret_without_host")));
        assertTrue(
                refused(HEAD + TOOL + one + SECRET + "hosts = [\"a.example\"]\n")
                        .contains("hosts"));
    }

    @Test
    void everyRefusalNamesKeyFoundAndAllowed() {
        String[][] cases = {
            {HEAD, "entrypoints.tools"},
            {HEAD.replace("1.2.3", "1.2"), "version is \"1.2\""},
            {HEAD.replace("= 3", "= 5") + TOOL, "manifest_version is 5"},
            {HEAD.replace("acme.weather", "Acme") + TOOL, "skill_id is \"Acme\""},
            {HEAD + "color = 1\n" + TOOL, "color is not a known key; allowed there are builder"},
            {HEAD + TOOL.replace("acme.get", "other.get"), "begins with the publisher: acme."},
            {HEAD + TOOL + "risk = { sensitive = true }\n", "entrypoints.tools[0].risk.sensitive"},
            {HEAD + TOOL + "module = \"modules/b.wasm\"\n", "one of modules/a.wasm"},
            {HEAD + TOOL + "input_schema = 5\n", "entrypoints.tools[0].input_schema is 5"},
            {
                HEAD + TOOL + "input_schema = '{\"a\":1,\"a\":2}'\n",
                "input_schema is not acceptable JSON"
            },
            {HEAD + TOOL + "input_schema = { \"$ref\" = \"http://x/\" }\n", "begins with #"},
            {HEAD + TOOL + TOOL, "each tool id once"},
            {
                HEAD + TOOL + "[capabilities.quotas]\nfuel_budget = 0\n",
                "capabilities.quotas.fuel_budget is 0"
            },
            {HEAD + TOOL + "[capabilities.quotas]\nfuel_budget = 1.5\n", "fuel_budget is 1.5"},
            {
                HEAD + TOOL + "[capabilities]\nhttp_egress_allowlist = [\"*\"]\n",
                "wildcard_opt_in.http_egress"
            },
            {
                HEAD + TOOL + "[capabilities]\nhttp_egress_allowlist = [\"http://x\"]\n",
                "no scheme or path"
            },
            {
                HEAD + TOOL + "[capabilities]\nhttp_egress_allowlist = [\"X.de\"]\n",
                "lower-case host"
            },
            {HEAD + TOOL + "[capabilities]\nhttp_egress_allowlist = [\"x.de:99999\"]\n", "65535"},
            {
                HEAD + TOOL + "[[capabilities.secrets]]\nscope = \"mine\"\nkey_names = [\"a\"]\n",
                "capabilities.secrets[0].scope"
            },
            {HEAD + TOOL + "[[capabilities.storage]]\nprefix = \"a/../b\"\n", "without .."},
            {
                HEAD + TOOL + "[[capabilities.storage]]\nprefix = \"/a\"\n",
                "capabilities.storage[0].prefix"
            },
            {
                HEAD + TOOL + "[compat]\nrequired_protocol_major = 2\n",
                "the protocol of this Palyra"
            },
            {
                HEAD + TOOL + "[compat]\nrequired_protocol_major = 1\nmin_protocol_major = 1\n",
                "only one of"
            },
            {
                HEAD + TOOL + "[compat]\nmin_palyra_version = \"1.0\"\n",
                "compat.min_palyra_version is \"1.0\""
            },
            {
                HEAD + TOOL + "[compat]\nmin_runtime_version = \">=1.0.0\"\n",
                "compat.min_runtime_version is"
            },
            {
                HEAD + TOOL + "[compat]\nmax_palyra_version = \"1.0.0-01\"\n",
                "compat.max_palyra_version is \"1.0.0-01\""
            },
            {HEAD + TOOL + "[compat]\nmax_palyra_version = 1\n", "compat.max_palyra_version is 1"},
            {
                HEAD
                        + TOOL
                        + "[compat]\nmin_palyra_version = \"1.0.0\"\n"
                        + "max_palyra_version = \"1.0.0-rc.1\"\n",
                "allowed is a version that is not below 1.0.0"
            },
            {HEAD + TOOL + "[builder]\nsource_kind = \"x\"\n", "builder.experimental"},
            {HEAD + TOOL + "[operator]\ndocs_url = \"http://x\"\n", "an https:// address"},
            {HEAD + HEAD + TOOL, "not valid TOML 1.0 in line"},
            {HEAD.replace("Weather\"", "Wea\\u0000ther\"") + TOOL, "name is"},
            {"= 1", "not valid TOML 1.0"},
        };
        for (String[] each : cases) {
            String message = refused(each[0]);
            assertTrue(message.contains(each[1]), each[1] + " <- " + message);
        }
    }

    @Test
    void versionsAreComparedByNumber() {
        assertTrue(SemanticVersion.of("1.10.0").compareTo(SemanticVersion.of("1.9.9")) > 0);
        assertEquals(0, SemanticVersion.of("0.0.1").compareTo(SemanticVersion.of("0.0.1")));
        assertThrows(palyra.api.PalyraException.class, () -> SemanticVersion.of("01.0.0"));
    }
}
