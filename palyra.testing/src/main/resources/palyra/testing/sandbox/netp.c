/* Connects to 127.0.0.1:PORT in one of three ways and sends a byte: netp tcp|mptcp|tfo PORT */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    struct sockaddr_in to = {0};
    to.sin_family = AF_INET;
    to.sin_port = htons(atoi(argv[2]));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, strcmp(argv[1], "mptcp") == 0 ? 262 : 0);
    if (fd < 0) return 1;
    if (strcmp(argv[1], "tfo") == 0) {
        return sendto(fd, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&to, sizeof to) == 1 ? 0 : 1;
    }
    if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) return 1;
    return send(fd, "x", 1, 0) == 1 ? 0 : 1;
}
