/** What is found out about a skill without running it. */
package palyra.skills.internal.audit;
