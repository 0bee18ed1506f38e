// A port of both directions has any value where it is not driven.
// expect: UNSAFE b0 (any:
module top(inout io, input oe, input d);
  assign io = oe ? d : 1'bz;
  any: assert property (oe || !io);
endmodule
