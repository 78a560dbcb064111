package palyra.skills.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.vault.SecretRef;
import palyra.skills.internal.host.fakes.Guest;
import palyra.skills.internal.host.fakes.Stage;

/** Secrets, storage and channels. */
final class CapabilitiesTest {
    private final Stage stage = new Stage();
    private final HostCall call = Stage.call(Stage.grants(), "{}", false);
    private final Guest guest = stage.guest(call);

    private JsonNode send(String more) {
        return guest.ask(
                "channel_send",
                "{\"channel\":\"discord:main\",\"conversation\":\"c\"," + more + "}");
    }

    // ---- Secrets ----

    @Test
    void aValueIsReadOnlyWhereTheManifestAskedForIt() {
        stage.vault.put("global", "readable", "open").put("skill:acme.weather", "api_token", "x");
        guest.ask("secret_open", "{\"scope\":\"global\",\"key\":\"readable\"}");
        assertEquals(
                "open", guest.ask("secret_value", "{\"handle\":20001}").path("value").asText());
        guest.ask("secret_open", "{\"scope\":\"skill:acme.weather\",\"key\":\"api_token\"}");
        JsonNode denied = guest.ask("secret_value", "{\"handle\":20000}");
        assertEquals("denied", Guest.code(denied));
        assertEquals("capabilities.secrets: api_token with value = true", Guest.grant(denied));
    }

    @Test
    void aSecretThatTheManifestDoesNotNameIsDenied() {
        JsonNode denied = guest.ask("secret_open", "{\"scope\":\"global\",\"key\":\"root\"}");
        assertEquals("denied", Guest.code(denied));
        assertEquals("capabilities.secrets: global/root", Guest.grant(denied));
        assertEquals(1, stage.journal.events(Denials.TYPE).size());
    }

    @Test
    void anotherSkillsSecretIsDeniedEvenIfTheManifestNamesIt() {
        stage.vault.put("skill:acme.other", "stolen", "x");
        JsonNode denied =
                guest.ask("secret_open", "{\"scope\":\"skill:acme.other\",\"key\":\"stolen\"}");
        assertEquals("denied", Guest.code(denied));
        assertEquals("invalid", Guest.code(guest.ask("secret_value", "{\"handle\":20002}")));
        assertTrue(stage.access.requests().isEmpty());
    }

    @Test
    void noQuestionAboutAnotherSkillsSecretIsEverMade() {
        CallScope scope = Stage.scope(Stage.grants());
        assertEquals(
                "skill:acme.weather",
                scope.use(new SecretRef("skill:acme.weather", "k"))
                        .question()
                        .facts()
                        .get("purpose"));
        assertEquals("global", scope.use(new SecretRef("global", "k")).ref().scope());
        for (String other :
                List.of(
                        "skill:acme.weather2",
                        "skill:acme.weathe",
                        "skill:acme",
                        "skill:Acme.weather",
                        "skill:acme.weather@1.0.0")) {
            SecretRef ref = new SecretRef(other, "k");
            HostError denied = assertThrows(HostError.class, () -> scope.use(ref), other);
            assertTrue(denied.getMessage().contains("another skill"), denied.getMessage());
        }
        assertTrue(stage.access.requests().isEmpty());
    }

    @Test
    void policyIsAskedForEachUseOfASecret() {
        stage.vault.put("global", "readable", "open");
        guest.ask("secret_open", "{\"scope\":\"global\",\"key\":\"readable\"}");
        guest.ask("secret_value", "{\"handle\":20001}");
        stage.access.deny("vault.get");
        JsonNode denied = guest.ask("secret_value", "{\"handle\":20001}");
        assertEquals("denied", Guest.code(denied));
        assertEquals("policy vault.get vault:global/readable", Guest.grant(denied));
        assertEquals(2, stage.access.requests().size());
        assertEquals("skill:acme.weather", stage.access.requests().get(0).facts().get("purpose"));
    }

    // ---- Storage ----

    @Test
    void valuesAreKeptUnderGrantedPrefixes() {
        JsonNode put = guest.ask("storage_put", "{\"key\":\"notes/a\",\"value\":\"1\"}");
        long version = put.path("version").asLong();
        JsonNode got = guest.ask("storage_get", "{\"key\":\"notes/a\"}");
        assertEquals("1", got.path("value").asText());
        assertEquals(version, got.path("version").asLong());
        assertTrue(call.close());
    }

    @Test
    void keysBesideThePrefixesOrNotToBeWrittenAreDenied() {
        for (String key : List.of("notes2/a", "other", "notes", "sharedx/a")) {
            assertEquals(
                    "denied",
                    Guest.code(guest.ask("storage_get", "{\"key\":\"" + key + "\"}")),
                    key);
        }
        for (String key : List.of("shared/a", "notes/fixed/a")) {
            JsonNode denied = guest.ask("storage_put", "{\"key\":\"" + key + "\",\"value\":\"1\"}");
            assertEquals("denied", Guest.code(denied), key);
            assertTrue(Guest.grant(denied).endsWith("with write = true"), denied.toString());
        }
        assertFalse(call.close());
    }

    @Test
    void keysCannotClimbOut() {
        for (String key :
                List.of(
                        "notes/../x",
                        "../notes/x",
                        "/notes/x",
                        "notes//x",
                        "notes/./x",
                        "notes/a b",
                        "notes/\\u0000")) {
            assertEquals(
                    "invalid",
                    Guest.code(guest.ask("storage_get", "{\"key\":\"" + key + "\"}")),
                    key);
        }
    }

    @Test
    void theQuotaOfAPrefixHolds() {
        String big = "x".repeat(900);
        assertTrue(
                guest.ask("storage_put", "{\"key\":\"notes/a\",\"value\":\"" + big + "\"}")
                        .has("version"));
        JsonNode over = guest.ask("storage_put", "{\"key\":\"notes/b\",\"value\":\"" + big + "\"}");
        assertEquals("limit", Guest.code(over));
        assertTrue(
                guest.ask("storage_put", "{\"key\":\"notes/a\",\"value\":\"" + big + "y\"}")
                        .has("version"));
    }

    @Test
    void aVersionThatWasReplacedIsAConflict() {
        long version =
                guest.ask("storage_put", "{\"key\":\"notes/a\",\"value\":\"1\",\"if_version\":0}")
                        .path("version")
                        .asLong();
        assertEquals(
                "conflict",
                Guest.code(
                        guest.ask(
                                "storage_put",
                                "{\"key\":\"notes/a\",\"value\":\"2\",\"if_version\":0}")));
        assertTrue(
                guest.ask(
                                "storage_put",
                                "{\"key\":\"notes/a\",\"value\":\"2\",\"if_version\":"
                                        + version
                                        + "}")
                        .has("version"));
    }

    @Test
    void keysAreListedInPagesAndDeleted() {
        for (String key : List.of("notes/a", "notes/b", "notes/c")) {
            guest.ask("storage_put", "{\"key\":\"" + key + "\",\"value_base64\":\"AAE=\"}");
        }
        JsonNode first = guest.ask("storage_list", "{\"prefix\":\"notes\",\"limit\":2}");
        assertEquals("notes/b", first.path("keys").path(1).path("key").asText());
        assertEquals(2, first.path("keys").path(1).path("bytes").asInt());
        assertTrue(first.path("more").asBoolean());
        JsonNode second =
                guest.ask("storage_list", "{\"prefix\":\"notes/\",\"after\":\"notes/b\"}");
        assertEquals(1, second.path("keys").size());
        assertFalse(second.path("more").asBoolean());
        assertTrue(
                guest.ask("storage_delete", "{\"key\":\"notes/a\"}").path("deleted").asBoolean());
        assertFalse(
                guest.ask("storage_delete", "{\"key\":\"notes/a\"}").path("deleted").asBoolean());
        assertEquals("not_found", Guest.code(guest.ask("storage_get", "{\"key\":\"notes/a\"}")));
        assertEquals("denied", Guest.code(guest.ask("storage_list", "{\"prefix\":\"n\"}")));
    }

    // ---- Channels ----

    private List<OutboxRow> outbox() {
        return stage.journal.outboxIn(OutboxRow.State.PENDING, "", "", 10);
    }

    @Test
    void aMessageIsInTheOutboxTogetherWithItsPermission() {
        JsonNode answer = send("\"text\":\"rain\"");
        OutboxRow row = outbox().get(0);
        assertEquals(row.outboxId(), answer.path("outbox_id").asText());
        assertEquals("discord:main", row.surface());
        assertEquals("c", row.orderKey());
        assertEquals("run-1", row.runId());
        assertEquals(OutboxRow.State.PENDING, row.state());
        assertTrue(new String(row.payload(), StandardCharsets.UTF_8).contains("\"text\":\"rain\""));
        assertEquals(1, stage.journal.events("access_decision").size());
        assertEquals("channel:discord:main", stage.access.requests().get(0).resource());
        assertTrue(call.close());
    }

    @Test
    void oneKeyOfOneCallIsOneRowAlsoAfterACrash() {
        String first = send("\"text\":\"rain\",\"dedupe\":\"d\"").path("outbox_id").asText();
        assertEquals(first, send("\"text\":\"rain\",\"dedupe\":\"d\"").path("outbox_id").asText());
        Guest restarted = stage.guest(Stage.call(Stage.grants(), "{}", false));
        String request =
                "{\"channel\":\"discord:main\",\"conversation\":\"c\",\"text\":\"rain\","
                        + "\"dedupe\":\"d\"}";
        assertEquals(first, restarted.ask("channel_send", request).path("outbox_id").asText());
        assertEquals(1, outbox().size());
        assertEquals("conflict", Guest.code(send("\"text\":\"snow\",\"dedupe\":\"d\"")));
    }

    @Test
    void messageOfARunOfNoChatNamesItsConversation() {
        assertEquals(
                "invalid",
                Guest.code(
                        guest.ask(
                                "channel_send", "{\"channel\":\"discord:main\",\"text\":\"a\"}")));
        assertTrue(outbox().isEmpty());
    }

    @Test
    void messagesWithoutAKeyAreToldApartByTheirOrder() {
        send("\"text\":\"rain\"");
        send("\"text\":\"rain\"");
        assertEquals(2, outbox().size());
        Guest restarted = stage.guest(Stage.call(Stage.grants(), "{}", false));
        restarted.ask(
                "channel_send",
                "{\"channel\":\"discord:main\",\"conversation\":\"c\",\"text\":\"rain\"}");
        assertEquals(2, outbox().size());
    }

    @Test
    void channelsNeedGrantAndPolicy() {
        JsonNode other = guest.ask("channel_send", "{\"channel\":\"discord:x\",\"text\":\"a\"}");
        assertEquals("capabilities.channels: discord:x", Guest.grant(other));
        stage.access.deny("channel.send");
        JsonNode denied = send("\"text\":\"rain\"");
        assertEquals("policy channel.send channel:discord:main", Guest.grant(denied));
        assertTrue(outbox().isEmpty());
        assertEquals(2, stage.journal.events(Denials.TYPE).size());
    }

    @Test
    void withoutAJournalNothingIsSentAndADenialStaysOne() {
        stage.journal.refuseUnits(ErrorCode.JOURNAL_UNAVAILABLE);
        assertEquals("unavailable", Guest.code(send("\"text\":\"rain\"")));
        assertEquals(
                "denied",
                Guest.code(
                        guest.ask("channel_send", "{\"channel\":\"discord:x\",\"text\":\"a\"}")));
    }

    @Test
    void denialsOfOneCallAreRecordedUpToABound() {
        for (int i = 0; i < 100; i++) {
            guest.ask("channel_send", "{\"channel\":\"discord:x\",\"text\":\"a\"}");
        }
        assertEquals(Denials.MOST, stage.journal.events(Denials.TYPE).size());
    }
}
