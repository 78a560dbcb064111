package palyra.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApiSignatureTest {
    private static final String LIST = "cnf/api/palyra.api.sig";

    private static Map<String, ApiSignatures.Exported> list(String... lines) {
        return ApiSignatures.parse(List.of(lines));
    }

    @Test
    void shippedApiIsTheSignatureListThatIsCheckedIn() throws Exception {
        Map<String, ApiSignatures.Exported> built =
                ApiSignatures.read(
                        List.of(Product.bundle("palyra.api"), Product.bundle("palyra.api.core")));
        assertTrue(built.containsKey("palyra.api") && !built.get("palyra.api").lines().isEmpty());
        assertTrue(
                Files.exists(Product.root().resolve(LIST)),
                LIST + " is missing: run scripts/update-api-signatures.sh");
        List<String> listed = Files.readAllLines(Product.root().resolve(LIST));
        assertEquals(List.of(), ApiSignatures.breaches(ApiSignatures.parse(listed), built));
        assertEquals(
                String.join("\n", listed),
                String.join("\n", ApiSignatures.format(built)),
                "signature changed: bump the package version and run"
                        + " scripts/update-api-signatures.sh");
    }

    @Test
    void refusesAChangeUnderTheSameVersion() {
        var before = list("package a 1.0.0", "  X: void m()");
        assertEquals(List.of(), ApiSignatures.breaches(before, before));
        for (var now :
                List.of(
                        list("package a 1.0.0", "  X: void m(int)"),
                        list("package a 1.0.0"),
                        list("package a 1.0.0", "  X: void m()", "  X: void n()"))) {
            assertEquals(1, ApiSignatures.breaches(before, now).size(), now.toString());
        }
    }

    @Test
    void asksForMajorWhenSomethingIsGoneAndForMinorWhenSomethingIsNew() {
        var before = list("package a 1.2.0", "  X: void m()");
        var gone = new String[] {"package a 1.3.0", "  X: void n()"};
        assertTrue(
                ApiSignatures.breaches(before, list(gone)).get(0).contains("(major after 1.2.0)"));
        assertEquals(
                List.of(),
                ApiSignatures.breaches(before, list("package a 2.0.0", "  X: void n()")));
        assertEquals(
                List.of(),
                ApiSignatures.breaches(
                        before, list("package a 1.3.0", "  X: void m()", "  X: void n()")));
        assertEquals(
                1,
                ApiSignatures.breaches(
                                before, list("package a 1.2.1", "  X: void m()", "  X: void n()"))
                        .size());
    }

    @Test
    void below10AMinorVersionMayTakeAway() {
        var before = list("package a 0.4.0", "  X: void m()");
        assertEquals(List.of(), ApiSignatures.breaches(before, list("package a 0.5.0")));
        assertEquals(1, ApiSignatures.breaches(before, list("package a 0.4.1")).size());
    }

    @Test
    void readsExportsWithQuotedCommas() {
        assertEquals(
                Map.of("a.b", "1.0.0", "c", "2.1", "d", "0.0.0"),
                ApiSignatures.exports(
                        "a.b;version=\"1.0.0\";uses:=\"c,d\",c;uses:=\"a.b\";version=2.1,d"));
    }
}
