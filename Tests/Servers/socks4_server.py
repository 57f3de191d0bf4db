# SPDX-License-Identifier: MIT
"""SOCKS 4 and 4a as Twisted speaks them: for everybody, and for one user id.

    socks4_server.py PORT USER_PORT USER
"""

import sys

from twisted.internet import protocol, reactor
from twisted.protocols.socks import SOCKSv4


class Everybody(SOCKSv4):
    def authorize(self, code, server, port, user):
        return code == 1


class OneUser(SOCKSv4):
    name = sys.argv[3].encode()

    def authorize(self, code, server, port, user):
        return code == 1 and user == self.name


for port, kind in zip(sys.argv[1:3], [Everybody, OneUser]):
    reactor.listenTCP(int(port), protocol.Factory.forProtocol(kind), interface="127.0.0.1")
reactor.run()
