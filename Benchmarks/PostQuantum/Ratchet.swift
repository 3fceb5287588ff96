func measureRatchet() throws {}
