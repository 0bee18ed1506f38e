// Types, constants and functions of a package.
// expect: SAFE b0 (legal:
// expect: UNSAFE b1 (idle:
package types;
  typedef enum logic [1:0] {IDLE, BUSY, DONE} state_t;
  typedef struct packed { logic [2:0] count; state_t state; } all_t;
  localparam LAST = 5;
  function automatic [2:0] more(input [2:0] x); more = x == LAST ? 0 : x + 1; endfunction
endpackage
module top(input logic clk, input logic go);
  types::all_t s = '0;
  always_ff @(posedge clk) begin
    s.count <= types::more(s.count);
    case (s.state)
      types::IDLE: if (go) s.state <= types::BUSY;
      types::BUSY: if (s.count == 3) s.state <= types::DONE;
      default: s.state <= types::IDLE;
    endcase
  end
  legal: assert property (s.count <= types::LAST && s.state != 3);
  idle: assert property (s.state != types::DONE);
endmodule
