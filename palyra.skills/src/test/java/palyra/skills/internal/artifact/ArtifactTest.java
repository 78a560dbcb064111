package palyra.skills.internal.artifact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.Samples;

/** Building, signing and checking artifacts, with vectors that never change. */
class ArtifactTest {
    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Changes entries after they were signed, and signs again only if asked. */
    private static String refused(Consumer<SortedMap<String, byte[]>> change, boolean resign) {
        SortedMap<String, byte[]> entries = new TreeMap<>(ZipReader.read(new Samples().signed()));
        change.accept(entries);
        if (resign) {
            entries.put(
                    Paths.SIGNATURE,
                    SkillSignature.sign(entries, "acme", Samples.KEY, Samples.TIME));
        }
        byte[] file = ZipWriter.write(entries);
        return assertThrows(RefusedException.class, () -> Artifact.verify(file)).reason();
    }

    @Test
    void whatIsBuiltAndSignedIsTakenAndTheSameTwice() {
        byte[] file = new Samples().file("assets/a/b.txt", ascii("hello")).signed();
        Artifact artifact = Artifact.verify(file);
        assertEquals("acme.weather@1.0.0", artifact.manifest().id().toString());
        assertEquals(Samples.KEY.publicHex(), artifact.signature().publicKeyHex());
        assertEquals(3 + 1, artifact.manifest().integrity().size());
        assertArrayEquals(file, new Samples().file("assets/a/b.txt", ascii("hello")).signed());
        assertTrue(artifact.loaded(true, "wasmtime").trusted());
    }

    /** Computed by an independent program (Python with hashlib and cryptography). */
    @Test
    void payloadAndSignatureFitTheVectors() {
        SortedMap<String, byte[]> entries = new TreeMap<>();
        entries.put("skill.toml", ascii("manifest_version = 3\n"));
        entries.put("modules/a.wasm", new byte[] {0, 'a', 's', 'm', 1, 0, 0, 0});
        entries.put("assets/x", new byte[0]);
        entries.put("signature.json", ascii("not signed"));
        assertEquals(Vectors.PAYLOAD, SkillSignature.payload(entries));
        assertEquals(Vectors.PUBLIC, Samples.KEY.publicHex());
        assertEquals(Vectors.KEY_ID, SkillKey.id(Samples.KEY.publicKey()));
        assertEquals(
                Vectors.SIGNATURE,
                HexFormat.of().formatHex(Samples.KEY.sign(ascii(Vectors.PAYLOAD))));
        assertTrue(
                SkillSignature.verifies(
                        Samples.KEY.publicKey(),
                        Vectors.PAYLOAD,
                        HexFormat.of().parseHex(Vectors.SIGNATURE)));
    }

    @Test
    void statementFitsTheVectors() {
        String statement = SkillSignature.statement(Vectors.PAYLOAD, "acme", Samples.TIME);
        assertEquals(Vectors.STATEMENT, statement);
        assertEquals(
                Vectors.STATEMENT_SIGNATURE,
                HexFormat.of().formatHex(Samples.KEY.sign(ascii(statement))));
    }

    @Test
    void refusesASignatureWhoseTimeWasChanged() {
        assertEquals(
                Samples.TIME, Artifact.verify(new Samples().signed()).signature().signedAtMillis());
        assertEquals(
                "signature_invalid",
                refused(
                        e ->
                                e.put(
                                        "signature.json",
                                        ascii(
                                                new String(e.get("signature.json"))
                                                        .replace(
                                                                "" + Samples.TIME,
                                                                "" + (Samples.TIME + 1)))),
                        false));
    }

    @Test
    void refusesTheSignatureThatLeavesItsTimeOut() {
        SortedMap<String, byte[]> entries = new TreeMap<>(ZipReader.read(new Samples().signed()));
        String payload = SkillSignature.payload(entries);
        byte[] old = Samples.KEY.sign(ascii(payload));
        entries.put(
                "signature.json",
                ascii(
                        new String(entries.get("signature.json"))
                                .replace("ed25519-sha256-v2", "ed25519-sha256")
                                .replaceFirst(
                                        "\"signature_base64\":\"[^\"]*\"",
                                        "\"signature_base64\":\""
                                                + Base64.getEncoder().encodeToString(old)
                                                + "\"")));
        RefusedException e =
                assertThrows(
                        RefusedException.class, () -> Artifact.verify(ZipWriter.write(entries)));
        assertEquals("signature_invalid", e.reason());
        assertTrue(e.getMessage().contains("palyra skills sign"), e.getMessage());
    }

    @Test
    void anyChangeAfterSigningIsRefused() {
        assertEquals(
                "integrity_mismatch", refused(e -> e.get("modules/weather.wasm")[9] ^= 1, false));
        assertEquals("integrity_mismatch", refused(e -> e.put("assets/new", ascii("x")), false));
        assertEquals("integrity_mismatch", refused(e -> e.put("assets/new", ascii("x")), true));
        assertEquals(
                "signature_invalid",
                refused(
                        e ->
                                e.put(
                                        "skill.toml",
                                        ascii(
                                                new String(e.get("skill.toml"))
                                                        .replace("Tells", "Tolls"))),
                        false));
        assertEquals("signature_missing", refused(e -> e.remove("signature.json"), false));
        assertEquals(
                "signature_invalid",
                refused(
                        e ->
                                e.put(
                                        "signature.json",
                                        ascii(
                                                new String(e.get("signature.json"))
                                                        .replace(
                                                                "\"publisher\":\"acme\"",
                                                                "\"publisher\":\"acme\",\"x\":1"))),
                        false));
        assertEquals(
                "signature_invalid",
                refused(
                        e ->
                                e.put(
                                        "signature.json",
                                        ascii(
                                                new String(e.get("signature.json"))
                                                        .replace(
                                                                "\"publisher\":\"acme\"",
                                                                "\"publisher\":\"evil\""))),
                        false));
        assertEquals(
                "publisher_mismatch",
                refused(
                        e ->
                                e.put(
                                        "signature.json",
                                        SkillSignature.sign(e, "evil", Samples.KEY, Samples.TIME)),
                        false));
    }

    @Test
    void papersThatDoNotFitAreRefused() {
        assertEquals("module_missing", refused(e -> e.remove("modules/weather.wasm"), true));
        assertEquals("manifest_missing", refused(e -> e.remove("skill.toml"), true));
        for (String[] each :
                new String[][] {
                    {"sbom.cdx.json", "{}", "sbom_invalid"},
                    {"sbom.cdx.json", "{\"bomFormat\":\"CycloneDX\"}", "sbom_invalid"},
                    {"sbom.cdx.json", "[]", "sbom_invalid"},
                    {"provenance.json", "{\"builder\":{},\"subject\":[]}", "provenance_invalid"},
                    {
                        "provenance.json",
                        "{\"builder\":{},\"subject\":[{\"name\":\"modules/weather.wasm\",\"digest\":{\"sha256\":\""
                                + "0".repeat(64)
                                + "\"}}]}",
                        "provenance_mismatch"
                    },
                    {
                        "provenance.json",
                        "{\"builder\":{},\"subject\":[{\"name\":\"assets/none\",\"digest\":{}}]}",
                        "provenance_mismatch"
                    }
                }) {
            RefusedException e =
                    assertThrows(
                            RefusedException.class,
                            () -> new Samples().file(each[0], ascii(each[1])).unsigned());
            assertEquals(each[2], e.reason(), each[1]);
        }
    }

    @Test
    void keysAreReadAsPemHexAndRawBytes() {
        assertEquals(Samples.KEY.publicHex(), SkillKey.read(ascii(Samples.KEY.pem())).publicHex());
        assertEquals(
                Samples.KEY.publicHex(),
                SkillKey.read(HexFormat.of().parseHex("11".repeat(32))).publicHex());
        for (String bad :
                new String[] {
                    "", "x", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"
                }) {
            assertEquals(
                    "key_unusable",
                    assertThrows(RefusedException.class, () -> SkillKey.read(ascii(bad))).reason());
        }
        assertTrue(!Samples.KEY.toString().contains("11".repeat(8)));
    }

    @Test
    void pathsThatLeadElsewhereAreRefused() {
        for (String path :
                new String[] {
                    "/skill.toml", "assets/../x", "assets//x", "assets/", "a.txt", "assets/c:x",
                    "assets\\x", "assets/\u00e9", "modules/x.txt", "assets/./x", "", "assets/a b",
                    "../skill.toml"
                }) {
            assertEquals(
                    "artifact_path",
                    assertThrows(RefusedException.class, () -> Paths.require(path)).reason(),
                    path);
        }
        Map.of("assets/a/b", 1, "modules/x/y.wasm", 1).keySet().forEach(Paths::require);
    }
}
