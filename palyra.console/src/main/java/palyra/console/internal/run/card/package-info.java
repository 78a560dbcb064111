/** What a run's records tell, put together for readers. */
package palyra.console.internal.run.card;
