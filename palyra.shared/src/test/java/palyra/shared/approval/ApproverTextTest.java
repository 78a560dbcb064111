package palyra.shared.approval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ApproverTextTest {
    private static ApprovalRequestBody.Terms terms(int quorum, long escalateAtMillis) {
        return new ApprovalRequestBody.Terms(
                List.of("user:ann", "group:approver"),
                false,
                List.of("ONCE"),
                quorum,
                List.of("group:operator"),
                escalateAtMillis);
    }

    @Test
    void namesThoseWhoMayAnswerNowAndLater() {
        assertEquals("group:approver, user:ann", ApproverText.words(terms(1, 0), 5));
        assertEquals(
                "group:approver, user:ann; 2 of them; from 1970-01-01T00:00:10Z on also"
                        + " group:operator",
                ApproverText.words(terms(2, 10_000), 5));
        assertEquals(
                "group:approver, group:operator, user:ann",
                ApproverText.words(terms(1, 10_000), 10_000));
    }

    @Test
    void boundsTheNamesAndCountsWhatIsLeftOut() {
        List<String> many = IntStream.range(0, 100).mapToObj(i -> "user:person-" + i).toList();
        String words = ApproverText.words(many, 3);
        assertTrue(words.length() <= ApproverText.MOST_CHARS, words);
        assertTrue(words.matches("user:person-0, .*, [0-9]+ more; 3 of them"), words);
        int named = words.split("user:").length - 1;
        assertTrue(words.contains(", " + (100 - named) + " more"), words);
        assertEquals("1 principal", ApproverText.words(List.of("user:" + "x".repeat(500)), 1));
        assertEquals("", ApproverText.words(List.of(), 1));
    }
}
