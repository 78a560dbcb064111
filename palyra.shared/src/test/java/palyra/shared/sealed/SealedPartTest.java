package palyra.shared.sealed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.shared.json.StrictJson;

class SealedPartTest {
    private static final byte[] KEY = HexFormat.of().parseHex("07".repeat(32));
    private static final byte[] NONCE = HexFormat.of().parseHex("0b".repeat(12));
    private static final SealedPart.Place PLACE =
            new SealedPart.Place(
                    "01J0000000000000000000000R", "message", "01J0000000000000000000000M");

    private static JsonNode vectors() throws IOException {
        try (InputStream in = SealedPartTest.class.getResourceAsStream("vectors.json")) {
            return StrictJson.parse(in.readAllBytes(), "the vectors");
        }
    }

    @Test
    void sealsAsTheVectorsSay() throws IOException {
        for (JsonNode vector : vectors()) {
            Map<String, String> secrets = new HashMap<>();
            vector.path("secrets")
                    .properties()
                    .forEach(one -> secrets.put(one.getKey(), one.getValue().asText()));
            String input = vector.has("input") ? vector.get("input").asText() : null;
            SealedPart part = new SealedPart(input, secrets);
            byte[] key = HexFormat.of().parseHex(vector.get("key").asText());
            SealedPart.Place place =
                    new SealedPart.Place(
                            vector.get("run").asText(),
                            vector.get("type").asText(),
                            vector.get("place").asText());
            byte[] nonce = HexFormat.of().parseHex(vector.get("nonce").asText());
            String sealed = vector.get("sealed").asText();
            assertEquals(sealed, part.seal(key, place, nonce));
            assertEquals(Optional.of(part), SealedPart.open(sealed, key, place));
        }
    }

    @Test
    void opensInItsOwnPlaceWithItsOwnKeyOnly() {
        SealedPart part = new SealedPart("{}", Map.of("⟦secret:x:1⟧", "literal"));
        String sealed = part.seal(KEY, PLACE, NONCE);
        assertEquals(Optional.of(part), SealedPart.open(sealed, KEY, PLACE));
        byte[] other = KEY.clone();
        other[31] ^= 1;
        assertTrue(SealedPart.open(sealed, other, PLACE).isEmpty());
        for (SealedPart.Place place :
                new SealedPart.Place[] {
                    new SealedPart.Place("other", PLACE.type(), PLACE.place()),
                    new SealedPart.Place(PLACE.runId(), "other", PLACE.place()),
                    new SealedPart.Place(PLACE.runId(), PLACE.type(), "other"),
                    new SealedPart.Place(PLACE.runId() + "m", "essage", PLACE.place())
                }) {
            assertTrue(SealedPart.open(sealed, KEY, place).isEmpty(), place.toString());
        }
    }

    @Test
    void opensNothingThatWasChanged() {
        String sealed = new SealedPart("{\"a\":1}", Map.of()).seal(KEY, PLACE, NONCE);
        for (int i = 0; i < sealed.length(); i++) {
            char changed = sealed.charAt(i) == 'A' ? 'Q' : 'A';
            String tampered = sealed.substring(0, i) + changed + sealed.substring(i + 1);
            Optional<SealedPart> opened = SealedPart.open(tampered, KEY, PLACE);
            // The last character may have bits that stand for nothing.
            assertTrue(opened.isEmpty() || i == sealed.length() - 1, "character " + i);
        }
        assertTrue(SealedPart.open("", KEY, PLACE).isEmpty());
        assertTrue(SealedPart.open("no base64!", KEY, PLACE).isEmpty());
        assertTrue(SealedPart.open(sealed.substring(0, 20), KEY, PLACE).isEmpty());
    }

    @Test
    void tellsNothingOfItself() {
        assertFalse(new SealedPart("in", Map.of("p", "literal")).toString().contains("literal"));
    }
}
