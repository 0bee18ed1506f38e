`include "limits.svh"
module checks(input [1:0] last);
  legal: assert property (last <= `HIGHEST);
  short: assert property (last != types::DONE);
endmodule
