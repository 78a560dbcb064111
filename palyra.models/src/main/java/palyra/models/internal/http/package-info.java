/** What providers of models on the network share: one turn over HTTP, and what may go wrong. */
package palyra.models.internal.http;
