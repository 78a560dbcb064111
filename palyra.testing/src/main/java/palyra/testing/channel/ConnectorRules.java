package palyra.testing.channel;

/** What the rules work with. */
interface ConnectorRules {
    String ANNA = "anna";
    String BERT = "bert";

    /** Returns the connector of this test, which was not started. */
    ConnectorStage stage();
}
