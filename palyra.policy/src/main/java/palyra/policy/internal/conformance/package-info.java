/** Runs corpora in the format of Cedar's own integration tests through both engines. */
package palyra.policy.internal.conformance;
