package palyra.skills.internal.audit;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import palyra.api.core.access.AccessRequest;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.artifact.Paths;
import palyra.skills.internal.manifest.Manifest;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillTool;

/** Audits a verified artifact and reports the failed checks. Thread-safe. */
public final class Auditor {
    private final ModuleSummary.Inspector inspector;
    private final Optional<CapabilityPolicy> policy;

    /**
     * @param policy the operator's policies; empty where there is no gateway, which is a warning
     */
    public Auditor(ModuleSummary.Inspector inspector, Optional<CapabilityPolicy> policy) {
        this.inspector = inspector;
        this.policy = policy;
    }

    /**
     * Audits an artifact. A readable artifact already has a valid signature, supply-chain files and
     * manifest.
     *
     * @throws palyra.api.PalyraException POLICY_UNAVAILABLE
     */
    public AuditReport audit(Artifact artifact) {
        AuditChecks findings = new AuditChecks();
        Manifest manifest = artifact.manifest();
        for (String id :
                List.of(
                        "signature_validity",
                        "sbom_presence",
                        "provenance_presence",
                        "manifest_sanity")) {
            findings.judge(id, "", List.of());
        }
        for (String warning : manifest.warnings()) {
            int colon = warning.indexOf(": ");
            findings.warn(
                    "manifest_warning:" + warning.substring(0, colon),
                    Paths.MANIFEST,
                    warning.substring(colon + 2));
        }
        scopes(manifest, findings);
        ModuleChecks modules = new ModuleChecks(inspector, manifest, findings);
        artifact.entries()
                .forEach(
                        (path, content) -> {
                            if (Paths.isModule(path)) {
                                modules.check(path, content);
                            }
                        });
        contents(artifact, findings);
        policies(manifest, findings);
        return findings.report();
    }

    private static void scopes(Manifest manifest, AuditChecks findings) {
        Manifest.Declared declared = manifest.declared();
        SkillGrants grants = manifest.grants();
        List<String> roots = new ArrayList<>(declared.readRoots());
        roots.addAll(declared.writeRoots());
        findings.judge(
                "manifest_filesystem_scopes",
                "",
                roots.stream()
                        .filter(
                                root ->
                                        root.startsWith("/")
                                                || root.contains("..")
                                                || root.equals("*"))
                        .map(root -> "The root '" + root + "' is not in a skill's storage.")
                        .toList());
        findings.judge(
                "manifest_http_egress_scopes",
                "",
                grants.httpHosts().stream()
                        .filter(host -> host.equals("*") || host.matches("\\*\\.[^.]+"))
                        .map(
                                host ->
                                        "'"
                                                + host
                                                + "' allows a whole top-level domain or everything.")
                        .toList());
        findings.judge(
                "manifest_secret_scopes",
                "",
                grants.secrets().stream()
                        .filter(
                                secret ->
                                        secret.scope().startsWith("skill:")
                                                && secret.scope().length() > 6
                                                && !secret.scope()
                                                        .equals("skill:" + manifest.id().skill()))
                        .map(
                                secret ->
                                        "The secret "
                                                + secret.scope()
                                                + "/"
                                                + secret.key()
                                                + " is another skill's.")
                        .toList());
        findings.judge(
                "forbidden_device_capabilities",
                "",
                Stream.concat(declared.devices().stream(), declared.nodes().stream())
                        .map(
                                name ->
                                        "The capability '"
                                                + name
                                                + "' of a device or node is not given.")
                        .toList());
        findings.judge("forbidden_wildcard_capabilities", "", wildcards(manifest));
        findings.judge(
                "tool_names",
                "",
                manifest.tools().stream()
                        .map(SkillTool::id)
                        .filter(id -> id.startsWith("palyra."))
                        .map(id -> "The tool " + id + " takes a name of the gateway's own tools.")
                        .toList());
    }

    private static List<String> wildcards(Manifest manifest) {
        List<String> faults = new ArrayList<>();
        for (String name : manifest.declared().wildcards()) {
            faults.add("wildcard_opt_in." + name + " is set.");
        }
        return faults;
    }

    private static void contents(Artifact artifact, AuditChecks findings) {
        List<String> programs = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (Map.Entry<String, byte[]> entry : artifact.entries().entrySet()) {
            String path = entry.getKey();
            ExecutableContent.find(entry.getValue(), Paths.isModule(path))
                    .ifPresent(what -> programs.add(path + " holds " + what + "."));
            text(path, entry.getValue())
                    .flatMap(SuspiciousText::find)
                    .ifPresent(what -> texts.add(path + " holds " + what + "."));
        }
        for (SkillTool tool : artifact.manifest().tools()) {
            SuspiciousText.find(
                            String.join(
                                    "\n",
                                    tool.description(),
                                    tool.inputSchemaJson(),
                                    tool.outputSchemaJson()))
                    .ifPresent(what -> texts.add("The tool " + tool.id() + " holds " + what + "."));
        }
        for (String words : artifact.manifest().operator().texts()) {
            SuspiciousText.find(words)
                    .ifPresent(what -> texts.add("The operator section holds " + what + "."));
        }
        findings.judge("embedded_executable", "", programs);
        findings.judge("suspicious_text", "", texts);
    }

    /**
     * Modules are read byte by byte, so that their strings are seen; other binary files are not.
     */
    private static Optional<String> text(String path, byte[] content) {
        if (path.equals(Paths.SIGNATURE) || path.equals(Paths.MANIFEST)) {
            return Optional.empty(); // known keys only; the manifest's texts are read one by one
        }
        if (Paths.isModule(path)) {
            return Optional.of(new String(content, StandardCharsets.ISO_8859_1));
        }
        try {
            return Optional.of(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(content))
                            .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private void policies(Manifest manifest, AuditChecks findings) {
        if (policy.isEmpty()) {
            findings.warn(
                    "policy_violation",
                    "",
                    "Policies were not evaluated: the command runs without a gateway.");
            return;
        }
        List<String> faults = new ArrayList<>();
        for (AccessRequest request : CapabilityRequests.of(manifest)) {
            policy.get()
                    .definiteDenial(request)
                    .ifPresent(
                            why ->
                                    faults.add(
                                            request.action()
                                                    + " on "
                                                    + request.resource()
                                                    + " is forbidden: "
                                                    + why));
        }
        findings.judge("policy_violation", "", faults);
    }
}
